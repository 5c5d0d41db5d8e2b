// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The space-time diagram: a lane for each thread and each synchronisation object, a row for each completed operation. A
// bar joins the thread with the object that completed its call; an arrow leads from what an object completed before to
// what another thread got from it. Calls that could have been completed instead stand beside the row.
'use strict';

ravel.OrderView = class {
  constructor(timeline, onSelect) {
    this.sequence = timeline.sequence;
    this.end = timeline.events.kind.length;
    this.known = timeline.sequence_races;
    this.onSelect = onSelect;
    this.rows = new Map();
    this.node = ravel.el('div', {class: 'order', hidden: true}, this.draw());
  }

  // Objects that one thread alone uses are left out: they cannot come in another order.
  lanes() {
    const threads = new Map(),
      users = new Map();
    for (const event of this.sequence) {
      if (!threads.has(event.thread)) threads.set(event.thread, threads.size);
      if (event.object) users.set(event.object, (users.get(event.object) || new Set()).add(event.thread));
    }
    const objects = new Map();
    for (const [object, by] of users) if (by.size > 1) objects.set(object, threads.size + objects.size);
    return {threads, objects};
  }

  draw() {
    const LANE = 100,
      ROW = 24,
      TOP = 34,
      LEFT = 70;
    const {threads, objects} = this.lanes();
    const shown = this.sequence.filter((event) => !event.object || objects.has(event.object));
    const lanes = threads.size + objects.size;
    const x = (lane) => LEFT + LANE * lane,
      y = (row) => TOP + ROW * (row + 1);
    const beside = x(lanes) - LANE + 60,
      bottom = y(shown.length);
    const picture = ravel.svg('svg', {
      class: 'order-picture',
      width: beside + 900,
      height: bottom + 16,
      role: 'img',
      'aria-label': 'space-time diagram',
    });
    const arrow = ravel.svg('path', {d: 'M0 0L8 4L0 8z', class: 'order-head'});
    picture.append(
      ravel.svg(
        'defs',
        {},
        ravel.svg('marker', {id: 'order-arrow', viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto'}, arrow),
      ),
    );
    for (const [name, lane] of [...threads, ...objects]) {
      const what = lane < threads.size ? 'order-thread' : 'order-object';
      picture.append(
        ravel.svg('line', {x1: x(lane), x2: x(lane), y1: TOP, y2: bottom, class: 'order-lane'}),
        ravel.svg('text', {x: x(lane), y: 20, class: `order-name ${what}`}, ravel.short(name, 14), ravel.svg('title', {}, name)),
      );
    }
    const last = new Map();
    shown.forEach((event, row) => {
      const thread = x(threads.get(event.thread)),
        object = event.object ? x(objects.get(event.object)) : null;
      const before = last.get(event.object);
      const came = event.event < this.end;
      const group = ravel.svg('g', {
        class: `order-row${came ? '' : ' waits'}${event.races.length ? ' races' : ''}`,
        'data-event': event.event,
        tabindex: came ? 0 : null,
        onclick: came ? () => this.onSelect(event.event) : null,
      });
      group.append(ravel.svg('rect', {x: 0, y: y(row) - ROW / 2, width: beside + 900, height: ROW, class: 'order-back'}));
      if (object !== null) {
        if (came && before && before.thread !== event.thread)
          group.append(
            ravel.svg('line', {x1: object, y1: y(before.row), x2: thread, y2: y(row) - 4, class: 'order-next', 'marker-end': 'url(#order-arrow)'}),
          );
        group.append(
          ravel.svg('line', {x1: thread, x2: object, y1: y(row), y2: y(row), class: 'order-join'}),
          ravel.svg('circle', {cx: object, cy: y(row), r: 4.5, class: 'order-dot order-object'}),
        );
        if (came) last.set(event.object, {row, thread: event.thread});
      }
      group.append(
        ravel.svg('circle', {cx: thread, cy: y(row), r: 4.5, class: 'order-dot order-thread'}),
        ravel.svg('text', {x: beside, y: y(row) + 4, class: 'order-text'}, `${event.text}${came ? '' : '  (waits)'}`, this.races(event)),
      );
      this.rows.set(event.event, group);
      picture.append(group);
    });
    return [ravel.el('p', {class: 'hint pad'}, this.legend(shown.length)), picture];
  }

  races(event) {
    if (!event.races.length) return null;
    const calls = event.races.slice(0, 6).map((call) => ravel.short(call, 60));
    if (event.races.length > 6) calls.push('\u2026');
    return ravel.svg('tspan', {class: 'order-races', dx: 14}, `could have been: ${calls.join(', ')}`);
  }

  legend(rows) {
    if (!rows) return 'No two threads met at an object of synchronisation.';
    const sets = this.known ? 'beside an event: calls that could have been completed in its place' : 'what could have come instead is not known here';
    return `Threads on the left, objects on the right, time downwards; ${sets}. A click selects the event.`;
  }

  select(i) {
    for (const [event, row] of this.rows) row.classList.toggle('selected', event === i);
    const row = this.rows.get(i);
    if (row && !this.node.hidden) row.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }
};
