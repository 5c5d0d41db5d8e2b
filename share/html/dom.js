// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Building the page from values. Text of the tested program only ever becomes a text node or an attribute's value:
// nothing in this report is parsed as markup.
'use strict';

const ravel = {};

ravel.SVG = 'http://www.w3.org/2000/svg';

// el('div', {class: 'x', onclick: f}, 'text', child, ...); children that are null are left out.
ravel.el = function (tag, attributes, ...children) {
  return ravel.fill(document.createElement(tag), attributes, children);
};

ravel.svg = function (tag, attributes, ...children) {
  return ravel.fill(document.createElementNS(ravel.SVG, tag), attributes, children);
};

ravel.fill = function (node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'style') for (const [key, v] of Object.entries(value)) node.style.setProperty(key, v);
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
};

// 12345 -> "12 345", with a thin space.
ravel.grouped = (n) => String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009');

ravel.rate = function (n) {
  if (n >= 1e6) return (n / 1e6).toFixed(1) + ' M';
  if (n >= 1e4) return Math.round(n / 1e3) + ' k';
  if (n >= 1e3) return (n / 1e3).toFixed(1) + ' k';
  return String(Math.round(n));
};

ravel.plural = (n, word, more = 's') => `${ravel.grouped(n)} ${word}${n === 1 ? '' : more}`;

// Long names are cut for display; the whole text is in the title, as far as it makes sense there.
ravel.short = (text, limit = 120) => (text.length > limit ? text.slice(0, limit - 1) + '\u2026' : text);

// "/a/long/way/to/src/bank.cpp:14" -> ".../src/bank.cpp:14"
ravel.shortPlace = function (text) {
  const parts = text.split('/');
  return ravel.short(text.length > 40 && parts.length > 3 ? `\u2026/${parts.slice(-2).join('/')}` : text, 80);
};

ravel.baseName = (path) => path.slice(path.lastIndexOf('/') + 1);

// A command line that a click copies.
ravel.command = function (text) {
  const done = ravel.el('span', {class: 'copied'}, 'copied');
  const box = ravel.el(
    'button',
    {class: 'command', title: 'copy', onclick: () => copy()},
    ravel.el('code', {}, text),
    done,
  );
  function copy() {
    const area = ravel.el('textarea', {}, text);
    document.body.append(area);
    area.select();
    document.execCommand('copy'); // the clipboard interface does not exist for file://
    area.remove();
    box.classList.add('done');
    setTimeout(() => box.classList.remove('done'), 1200);
  }
  return box;
};

// A word of a shell.
ravel.quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
