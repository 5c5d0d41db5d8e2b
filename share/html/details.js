// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Everything that is known of the event under the cursor.
'use strict';

ravel.DetailsView = class {
  constructor(trace, plan, select) {
    this.trace = trace;
    this.plan = plan;
    this.select = select;
    this.node = ravel.el('section', {class: 'details'});
  }

  link(i) {
    const t = this.trace;
    return ravel.el(
      'button',
      {class: 'event-link', onclick: () => this.select(i), style: {'--color': ravel.threadColor(t.thread[i])}},
      ravel.el('b', {}, `T${t.thread[i]}`),
      ` ${ravel.short(t.describe(i), 60)} `,
      ravel.el('span', {class: 'hint'}, `#${t.first + i}`),
    );
  }

  row(name, ...content) {
    return content.flat(Infinity).some((part) => part) ? [ravel.el('dt', {}, name), ravel.el('dd', {}, content)] : [];
  }

  show(i) {
    const t = this.trace;
    if (i < 0) {
      this.node.replaceChildren(ravel.el('p', {class: 'hint pad'}, 'No event is selected.'));
      return;
    }
    const bits = t.bits[i],
      place = t.placeOf(i),
      cls = t.operationClass(i);
    const remarks = [];
    if (bits & ravel.Bits.chosen) remarks.push('others could have run here');
    if (bits & ravel.Bits.waited) remarks.push('had to wait');
    if (bits & ravel.Bits.failed) remarks.push('failed');
    if (bits & ravel.Bits.timeout) remarks.push('timed out');
    if (bits & ravel.Bits.spurious) remarks.push('without a signal');
    const held = t.heldAt(i).map((lock) =>
      ravel.el(
        'button',
        {
          class: 'lock-link',
          onclick: () => this.select(lock.from),
          style: {'--color': ravel.lockColor(lock.object)},
          title: 'where it was taken',
        },
        (lock.shared ? 'shared ' : '') + ravel.short(t.objects[lock.object], 60),
      ),
    );
    const before = t.edges.filter((edge) => edge.b === i),
      after = t.edges.filter((edge) => edge.a === i);
    const same = (step) => (t.object[i] ? t.seek(i, step, (k) => t.object[k] === t.object[i]) : -1);
    const previous = same(-1),
      next = same(1);
    const until = this.plan ? ravel.command(`ravel replay --until ${t.first + i} ${ravel.quoted(this.plan)}`) : null;
    this.node.replaceChildren(
      ravel.el(
        'h2',
        {style: {'--color': ravel.threadColor(t.thread[i])}},
        ravel.el('span', {class: 'thread-badge'}, `T${t.thread[i]}`),
        ` ${t.operation(i)} `,
        ravel.el(
          'span',
          {class: 'object', title: ravel.short(t.objectText(i), 1000)},
          ravel.short(t.objectText(i), 80),
        ),
        ' ',
        ravel.el('span', {class: 'value'}, ravel.short(t.valueText(i), 60)),
      ),
      t.roles.has(i) ? ravel.el('p', {class: 'role'}, t.roles.get(i)) : '',
      ravel.el(
        'dl',
        {},
        this.row('event', `#${t.first + i}`),
        this.row('thread', ravel.short(t.threadTitle(t.thread[i]), 100)),
        this.row('at', ravel.el('span', {title: ravel.short(place.text, 500)}, ravel.shortPlace(place.text))),
        this.row(
          'in',
          place.function
            ? ravel.el('code', {title: ravel.short(place.function, 1000)}, ravel.short(place.function, 160))
            : '',
        ),
        this.row('order', cls === 'atomic' ? ravel.orders[bits & ravel.Bits.order] || '' : ''),
        this.row('remarks', remarks.join(', ')),
        this.row('holds', held),
        this.row(
          'after',
          before.map((edge) => ravel.el('div', {}, this.link(edge.a), edge.wakes ? ' wakes it' : '')),
        ),
        this.row(
          'before',
          after.slice(0, 8).map((edge) => ravel.el('div', {}, this.link(edge.b), edge.wakes ? ' is woken' : '')),
        ),
        this.row('object before', previous >= 0 ? this.link(previous) : ''),
        this.row('object after', next >= 0 ? this.link(next) : ''),
      ),
      until || '',
    );
  }
};
