// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Source code beside the lanes: follows the event under the cursor.
'use strict';

ravel.keywords = new Set(
  (
    'alignas alignof asm auto bool break case catch char class co_await co_return co_yield concept const ' +
    'consteval constexpr constinit const_cast continue decltype default delete do double dynamic_cast else enum explicit export ' +
    'extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private protected ' +
    'public register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template ' +
    'this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while'
  ).split(' '),
);

// [[class or '', text], ...] of one line; `state.comment` tells whether it begins inside a block comment.
ravel.tokens = function (line, state) {
  const out = [];
  const pattern =
    /\/\/.*|\/\*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|^\s*#\s*\w+|\b\d[\w.']*|[A-Za-z_]\w*|[^A-Za-z_\d"'/#]+|./g;
  let at = 0;
  while (at < line.length) {
    if (state.comment) {
      const end = line.indexOf('*/', at);
      const stop = end < 0 ? line.length : end + 2;
      out.push(['comment', line.slice(at, stop)]);
      state.comment = end < 0;
      at = stop;
      continue;
    }
    pattern.lastIndex = at;
    const match = pattern.exec(line);
    const text = match[0];
    at = match.index + text.length;
    if (text === '/*') {
      at -= 2;
      state.comment = true;
      const end = line.indexOf('*/', at + 2);
      const stop = end < 0 ? line.length : end + 2;
      out.push(['comment', line.slice(at, stop)]);
      state.comment = end < 0;
      at = stop;
    } else if (text.startsWith('//')) out.push(['comment', text]);
    else if (text[0] === '"' || (text[0] === "'" && text.length > 1)) out.push(['string', text]);
    else if (/^\s*#/.test(text)) out.push(['directive', text]);
    else if (/^\d/.test(text)) out.push(['literal', text]);
    else out.push([ravel.keywords.has(text) ? 'keyword' : '', text]);
  }
  return out;
};

ravel.SourceView = class {
  constructor(trace) {
    this.trace = trace;
    this.files = new Map(trace.files.map((file) => [file.path, file]));
    this.shown = null;
    this.title = ravel.el('div', {class: 'source-title'});
    this.body = ravel.el('div', {class: 'source-body', tabindex: -1});
    this.node = ravel.el('section', {class: 'source'}, this.title, this.body);
    this.used = new Map();
    for (const place of trace.places) {
      if (!place.file) continue;
      if (!this.used.has(place.file)) this.used.set(place.file, new Set());
      this.used.get(place.file).add(place.line);
    }
  }

  show(place, threadColor) {
    this.title.replaceChildren(place && place.text ? ravel.shortPlace(place.text) : 'no source line');
    this.title.title = place && place.file ? ravel.short(place.file, 500) : '';
    const file = place && this.files.get(place.file);
    if (!file || file.lines.length === 0) {
      const why =
        place && place.text
          ? 'The source file could not be read when the report was made.'
          : 'Nothing is known of where this happened.';
      this.body.replaceChildren(ravel.el('p', {class: 'hint pad'}, why));
      this.shown = null;
      return;
    }
    if (this.shown !== file) this.render(file);
    if (this.current) this.current.classList.remove('current');
    this.current = this.lines[place.line - file.first_line] || null;
    if (!this.current) return;
    this.current.classList.add('current');
    this.current.style.setProperty('--color', threadColor);
    const box = this.body.getBoundingClientRect(),
      row = this.current.getBoundingClientRect();
    const top = row.top - box.top;
    if (top < 40 || top > box.height - 60) this.body.scrollTop += top - box.height / 2;
  }

  render(file) {
    this.shown = file;
    const used = this.used.get(file.path) || new Set();
    const state = {comment: false};
    this.lines = file.lines.map((text, i) => {
      const number = file.first_line + i;
      const code = ravel.el('code', {});
      const long = text.length > 2000; // generated code: not worth colouring
      for (const [kind, part] of long ? [['', text]] : ravel.tokens(text, state)) {
        code.append(kind ? ravel.el('span', {class: kind}, part) : part);
      }
      return ravel.el(
        'div',
        {class: used.has(number) ? 'line used' : 'line'},
        ravel.el('span', {class: 'number'}, number),
        code,
      );
    });
    this.body.replaceChildren(...this.lines);
    this.current = null;
  }
};
