// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The lanes: a column a thread, a row an event, time runs downwards. Only what is in sight exists as elements, so that
// a hundred thousand events cost no more than sixty. Lock bars and arrows are drawn in one SVG over the rows.
'use strict';

ravel.threadColor = (thread) => `var(--thread-${thread % 8})`;
ravel.lockColor = (object) => `hsl(${(object * 67 + 20) % 360} 58% 52%)`;

ravel.ROW = 26;
ravel.GUTTER = 72; // numbers of events
ravel.GAP = 26; // between lanes, for arrows
ravel.SLOT = 7; // width of a lock's bar

ravel.LanesView = class {
  constructor(trace, select) {
    this.trace = trace;
    this.select = select;
    this.selected = -1;
    this.matches = null;
    this.arrows = trace.size > 400 ? 'near' : 'all';
    this.heads = ravel.el('div', {class: 'lane-heads'});
    this.layer = ravel.el('div', {class: 'rows'});
    this.overlay = ravel.svg('svg', {class: 'overlay'});
    this.space = ravel.el('div', {class: 'space'}, this.layer, this.overlay);
    this.scroll = ravel.el(
      'div',
      {class: 'lanes-scroll', tabindex: 0, role: 'listbox', 'aria-label': 'events', onscroll: () => this.draw()},
      this.heads,
      this.space,
    );
    this.node = ravel.el('div', {class: 'lanes'}, this.scroll);
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(this.scroll);
    this.onDraw = null;
  }

  // What follows the last event: wishes that never came true, and the failure.
  tail() {
    const t = this.trace,
      out = [];
    for (const wait of t.waits) {
      if (!t.filter.threads.has(wait.thread)) continue;
      const holder = wait.holder === null ? '' : `, held by T${wait.holder}`;
      out.push({
        thread: wait.thread,
        operation: wait.operation,
        object: t.objects[wait.object],
        value: `never succeeds${holder}`,
        place: wait.place,
      });
    }
    if (t.failingThread !== null && t.filter.threads.has(t.failingThread)) {
      out.push({
        thread: t.failingThread,
        operation: t.outcome,
        object: '',
        value: ravel.shortPlace(t.places[t.failingPlace].text),
        place: t.failingPlace,
      });
    }
    return out;
  }

  // After a change of filters or size.
  layout() {
    const t = this.trace;
    this.ends = this.tail();
    this.lanes = t.usedThreads.filter((thread) => t.filter.threads.has(thread));
    const room = Math.max(300, this.scroll.clientWidth - ravel.GUTTER - ravel.GAP);
    this.laneWidth = Math.max(150, Math.min(420, room / Math.max(1, this.lanes.length) - ravel.GAP));
    this.laneOf = new Map(this.lanes.map((thread, k) => [thread, k]));
    const width = ravel.GUTTER + this.lanes.length * (this.laneWidth + ravel.GAP) + ravel.GAP;
    this.width = width;
    const height = (t.rows.length + this.ends.length) * ravel.ROW + 24;
    this.space.style.height = `${height}px`;
    this.space.style.width = `${width}px`;
    this.heads.style.width = `${width}px`;
    this.heads.replaceChildren(
      ...this.lanes.map((thread) =>
        ravel.el(
          'div',
          {
            class: 'lane-head',
            title: ravel.short(t.threadTitle(thread), 500),
            style: {
              left: `${this.laneX(thread)}px`,
              width: `${this.laneWidth}px`,
              '--color': ravel.threadColor(thread),
            },
          },
          ravel.el('b', {}, `T${thread}`),
          ' ',
          t.threads[thread] ? ravel.short(t.threads[thread].name || t.threads[thread].lineage, 40) : '',
        ),
      ),
    );
    this.draw();
  }

  laneX(thread) {
    return ravel.GUTTER + this.laneOf.get(thread) * (this.laneWidth + ravel.GAP);
  }
  bars(thread) {
    return Math.min(this.trace.slots.get(thread) || 0, 4) * ravel.SLOT;
  }
  boxX(thread) {
    return this.laneX(thread) + this.bars(thread) + 3;
  }
  boxRight(thread) {
    return this.laneX(thread) + this.laneWidth;
  }
  rowY(row) {
    return row * ravel.ROW;
  }

  draw() {
    const t = this.trace;
    if (!this.lanes) return;
    const total = t.rows.length + this.ends.length;
    const from = Math.max(0, Math.floor(this.scroll.scrollTop / ravel.ROW) - 4);
    const to = Math.min(total, from + Math.ceil(this.scroll.clientHeight / ravel.ROW) + 8);
    this.range = {from, to};
    const rows = [];
    for (let row = from; row < to; ++row) {
      rows.push(
        row < t.rows.length ? this.eventRow(row, t.rows[row]) : this.endRow(row, this.ends[row - t.rows.length]),
      );
    }
    this.layer.replaceChildren(...rows.flat());
    this.drawOverlay(from, to);
    if (this.onDraw) this.onDraw();
  }

  eventRow(row, i) {
    const t = this.trace,
      thread = t.thread[i],
      top = `${this.rowY(row)}px`;
    const classes = ['event', t.operationClass(i)];
    if (i === this.selected) classes.push('selected');
    if (t.roles.has(i)) classes.push('decisive');
    if (this.matches && this.matches(i)) classes.push('match');
    if (t.bits[i] & ravel.Bits.failed) classes.push('failed');
    const x = this.boxX(thread);
    const out = [
      ravel.el('span', {class: t.isSwitch(i) ? 'seq switch' : 'seq', style: {top}}, t.first + i),
      ravel.el(
        'div',
        {
          class: classes.join(' '),
          'data-event': i,
          'data-thread': thread,
          role: 'option',
          'aria-selected': i === this.selected ? 'true' : 'false',
          style: {top, left: `${x}px`, width: `${this.boxRight(thread) - x}px`, '--color': ravel.threadColor(thread)},
          title:
            `${ravel.short(t.describe(i), 400)}\n${ravel.short(t.placeOf(i).text, 200)}` +
            (t.roles.has(i) ? `\n${t.roles.get(i)}` : ''),
          onclick: () => this.select(i),
        },
        ...this.words(t.operation(i), t.objectText(i), t.valueText(i)),
        t.roles.has(i) ? ravel.el('span', {class: 'star', 'aria-hidden': 'true'}, '\u25c6') : null,
      ),
    ];
    return out;
  }

  endRow(row, end) {
    const x = this.boxX(end.thread);
    return [
      ravel.el(
        'div',
        {
          class: 'event end',
          'data-thread': end.thread,
          style: {top: `${this.rowY(row)}px`, left: `${x}px`, width: `${this.boxRight(end.thread) - x}px`},
          title: ravel.short(`${end.operation} ${end.object} ${end.value}`, 400),
          onclick: () => this.select(-1, end),
        },
        ...this.words(end.operation, end.object, end.value),
      ),
    ];
  }

  words(operation, object, value) {
    return [
      ravel.el('span', {class: 'op'}, operation),
      object ? ravel.el('span', {class: 'object'}, ravel.short(object, 80)) : null,
      value ? ravel.el('span', {class: 'value'}, ravel.short(value, 60)) : null,
    ];
  }

  drawOverlay(from, to) {
    const t = this.trace,
      parts = [];
    this.overlay.setAttribute('width', this.width);
    this.overlay.setAttribute('height', (to - from) * ravel.ROW);
    this.overlay.style.top = `${this.rowY(from)}px`;
    const y = (row) => (row - from + 0.5) * ravel.ROW;
    for (const thread of this.lanes) {
      const x = this.laneX(thread) + this.bars(thread) - 1;
      parts.push(
        ravel.svg('line', {
          x1: x,
          x2: x,
          y1: 0,
          y2: (to - from) * ravel.ROW,
          class: 'lane-line',
          style: {stroke: ravel.threadColor(thread)},
        }),
      );
    }
    this.drawLocks(parts, from, to, y);
    this.drawArrows(parts, from, to, y);
    this.overlay.replaceChildren(...parts);
  }

  drawLocks(parts, from, to, y) {
    const t = this.trace;
    for (const lock of t.locks) {
      if (!this.laneOf.has(lock.thread) || lock.slot >= 4) continue;
      const first = t.rowBefore[lock.from];
      const last = lock.to >= t.size ? t.rows.length + this.ends.length : t.rowBefore[lock.to + 1] - 1;
      if (last < first || last < from || first > to) continue;
      const top = Math.max(y(first), -ravel.ROW),
        bottom = Math.min(lock.to >= t.size ? y(last) - ravel.ROW / 2 : y(last), (to - from + 1) * ravel.ROW);
      parts.push(
        ravel.svg(
          'rect',
          {
            x: this.laneX(lock.thread) + lock.slot * ravel.SLOT,
            width: ravel.SLOT - 3,
            y: top,
            height: Math.max(4, bottom - top),
            rx: 2,
            class: lock.shared ? 'lock shared' : 'lock',
            'data-lock': lock.object,
            'data-from': lock.from,
            style: {fill: ravel.lockColor(lock.object)},
          },
          ravel.svg(
            'title',
            {},
            `T${lock.thread} holds ${ravel.short(t.objects[lock.object], 200)}${lock.shared ? ' (shared)' : ''}`,
          ),
        ),
      );
    }
  }

  drawArrows(parts, from, to, y) {
    const t = this.trace;
    if (this.arrows === 'none') return;
    let drawn = 0;
    for (const edge of t.edges) {
      if (edge.a < 0) continue;
      const near = edge.a === this.selected || edge.b === this.selected;
      if (this.arrows === 'near' && !near) continue;
      const a = t.rowBefore[edge.a],
        b = t.rowBefore[edge.b];
      if (b < from || a >= to || (!near && drawn > 300)) continue;
      ++drawn;
      const source = t.thread[edge.from],
        target = t.thread[edge.to];
      const right = this.laneOf.get(target) > this.laneOf.get(source);
      const x1 = right ? this.boxRight(source) : this.boxX(source),
        x2 = right ? this.laneX(target) - 3 : this.boxRight(target) + 3;
      const y1 = Math.max(y(a), -4000),
        y2 = Math.min(y(b), 4000 + (to - from) * ravel.ROW);
      const bend = (right ? 1 : -1) * Math.max(14, Math.abs(x2 - x1) / 2);
      const d = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
      const tip = right ? `M${x2} ${y2}l-6 -3.5v7z` : `M${x2} ${y2}l6 -3.5v7z`;
      const cls = `arrow${near ? ' near' : ''}${edge.wakes ? ' wakes' : ''}`;
      parts.push(
        ravel.svg('path', {d, class: cls, 'data-from': edge.from, 'data-to': edge.to}),
        ravel.svg('path', {d: tip, class: `tip${near ? ' near' : ''}`}),
      );
    }
  }

  // Brings the event into sight.
  reveal(i) {
    this.selected = i;
    if (i >= 0) {
      const top = this.rowY(this.trace.rowOf(i)),
        view = this.scroll;
      const head = this.heads.offsetHeight;
      if (top < view.scrollTop + ravel.ROW || top > view.scrollTop + view.clientHeight - head - 2 * ravel.ROW) {
        view.scrollTop = top - (view.clientHeight - head) / 2;
      }
      const x = this.laneX(this.trace.thread[i]);
      if (x < view.scrollLeft + ravel.GUTTER || x + this.laneWidth > view.scrollLeft + view.clientWidth)
        view.scrollLeft = x - ravel.GUTTER - 40;
    }
    this.draw();
  }

  close() {
    this.observer.disconnect();
  }
};
