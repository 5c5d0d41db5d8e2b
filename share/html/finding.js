// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The page of one finding: what it is in words, then lanes, overview, details and source, which follow one cursor.
'use strict';

ravel.FindingPage = class {
  // `finding` may be null: a replay that ran clean has a trace and nothing to complain of.
  constructor(data, finding, timeline, onSelect) {
    this.onSelect = onSelect;
    if (timeline) this.trace = new ravel.Trace(timeline, data.operations, finding ? finding.roles : []);
    this.node = ravel.el('div', {class: 'finding'}, this.head(data, finding));
    if (!timeline) {
      this.node.append(ravel.el('p', {class: 'hint pad'}, 'The events of this execution were not kept.'));
      return;
    }
    this.lanes = new ravel.LanesView(this.trace, (i, end) => this.go(i, end));
    this.minimap = new ravel.Minimap(this.trace, this.lanes);
    this.source = new ravel.SourceView(this.trace);
    this.details = new ravel.DetailsView(this.trace, finding ? finding.plan : data.report.plan, (i) => this.go(i));
    this.work = ravel.el(
      'div',
      {class: 'work'},
      this.lanes.node,
      this.minimap.node,
      ravel.el('aside', {class: 'side'}, this.details.node, this.source.node),
    );
    this.order = timeline.sequence.length ? new ravel.OrderView(timeline, (i) => this.go(i)) : null;
    this.node.append(this.toolbar(), this.work);
    if (this.order) this.lanes.node.after(this.order.node);
  }

  roleLink(i, text) {
    const what = `T${this.trace.thread[i]} ${ravel.short(this.trace.describe(i), 60)}`;
    return ravel.el(
      'button',
      {class: 'role-link', title: text, onclick: () => this.go(i)},
      ravel.el('span', {class: 'star'}, '\u25c6'),
      ` ${what} `,
      ravel.el('span', {class: 'hint'}, `#${this.trace.first + i}`),
    );
  }

  head(data, finding) {
    if (!finding)
      return ravel.el(
        'section',
        {class: 'finding-head'},
        ravel.el('h1', {}, data.report.outcome),
        ravel.el('p', {class: 'hint'}, ravel.plural(data.report.events, 'event')),
      );
    const rule = data.rules[finding.kind];
    const threads = finding.threads.map((t) =>
      ravel.el(
        'span',
        {class: 'thread-chip', style: {'--color': ravel.threadColor(t.index)}},
        ravel.el('b', {}, `T${t.index}`),
        ` ${ravel.short(t.lineage, 60)}${t.name ? ` \u201c${ravel.short(t.name, 40)}\u201d` : ''}`,
      ),
    );
    const facts = [
      ravel.plural(finding.switches, 'context switch', 'es'),
      ravel.plural(finding.preemptions, 'preemption'),
      ravel.plural(finding.events, 'event'),
    ];
    const original = finding.minimised.original;
    if (original)
      facts.push(
        `simplified from ${ravel.plural(original.preemptions, 'preemption')}, ${ravel.plural(original.switches, 'switch', 'es')}`,
      );
    if (finding.minimised.fewest_preemptions) facts.push('no schedule with fewer preemptions shows it');
    if (finding.detector) facts.push(`named by ${finding.detector}${finding.heuristic ? ', a heuristic' : ''}`);
    if (finding.faults) facts.push(ravel.plural(finding.faults, 'injected fault'));
    if (finding.adversarial_timeout) facts.push('needs an adversarial time-out');
    if (finding.explore_call) facts.push(`in explore() ${finding.explore_name || finding.explore_call}`);
    const seen = Object.entries(finding.observations || {}).map(([name, value]) => `observed: ${name} = ${value}`);
    const lines = [
      ...finding.causes.map((c) => `cause: ${c.kind} ${c.message}`),
      ...finding.explanation,
      ...finding.details,
      ...finding.injected.map((f) => `injected: ${f}`),
      ...seen,
      ...finding.related.map((r) => `in the same execution: ${r.kind} ${r.message}`),
    ];
    const output = [
      ['stdout', finding.stdout],
      ['stderr', finding.stderr],
    ]
      .filter(([, text]) => text)
      .map(([name, text]) =>
        ravel.el('details', {class: 'output'}, ravel.el('summary', {}, name), ravel.el('pre', {}, text.slice(-20000))),
      );
    const decisive = this.trace ? [...this.trace.roles].map(([i, text]) => this.roleLink(i, text)) : [];
    return ravel.el(
      'section',
      {class: 'finding-head'},
      ravel.el(
        'div',
        {class: 'headline'},
        ravel.el('span', {class: 'kind', title: rule ? rule.summary : ''}, finding.kind),
        ravel.el('h1', {title: ravel.short(finding.message, 1000)}, ravel.short(finding.message, 300)),
        ravel.el(
          'span',
          {class: 'where', title: ravel.short(finding.location.text || '', 500)},
          ravel.shortPlace(finding.location.text || ''),
        ),
      ),
      ravel.el('div', {class: 'facts'}, threads, ravel.el('span', {class: 'hint'}, facts.join(' \u00b7 ')), decisive),
      lines.length
        ? ravel.el(
            'ul',
            {class: 'lines'},
            lines.slice(0, 60).map((line) => ravel.el('li', {}, ravel.short(line, 500))),
          )
        : null,
      rule
        ? ravel.el(
            'details',
            {class: 'advice'},
            ravel.el('summary', {}, 'What this means'),
            ravel.el('p', {}, `${rule.summary} ${rule.help}`),
          )
        : null,
      output,
      finding.plan
        ? ravel.el(
            'div',
            {class: 'commands'},
            ravel.command(`ravel replay ${ravel.quoted(finding.plan)}`),
            ravel.command(`ravel replay --gdb ${ravel.quoted(finding.plan)}`),
          )
        : null,
    );
  }

  toolbar() {
    const t = this.trace;
    this.search = ravel.el('input', {
      type: 'search',
      placeholder: 'Search  (/)',
      id: 'search',
      oninput: () => this.find(),
      onkeydown: (e) => this.searchKey(e),
    });
    this.hits = ravel.el('span', {class: 'hint hits', id: 'hits'});
    this.shown = ravel.el('span', {class: 'hint', id: 'shown'});
    const counts = t.objectCounts(),
      classes = t.classes();
    this.objects = ravel.el(
      'select',
      {
        id: 'objects',
        title: 'only events of one object (o: the one under the cursor)',
        onchange: () => this.filter({object: Number(this.objects.value)}),
      },
      ravel.el('option', {value: 0}, `all ${counts.length} objects`),
      counts
        .slice(0, 2000)
        .map(([object, n]) => ravel.el('option', {value: object}, `${ravel.short(t.objects[object], 60)}  (${n})`)),
    );
    const chips = t.usedThreads.slice(0, 64).map((thread) =>
      ravel.el(
        'button',
        {
          class: 'chip on',
          'data-thread-filter': thread,
          title: `${ravel.short(t.threadTitle(thread), 200)}\nclick: hide or show; double click: alone`,
          style: {'--color': ravel.threadColor(thread)},
          onclick: () => this.toggleThread(thread),
          ondblclick: () => this.soloThread(thread),
        },
        `T${thread}`,
      ),
    );
    this.chips = ravel.el('span', {class: 'chips'}, chips);
    this.classes = ravel.el(
      'span',
      {class: 'chips'},
      ['sync', 'atomic', 'plain']
        .filter((c) => classes.includes(c))
        .map((c) =>
          ravel.el(
            'button',
            {class: `chip on class-${c}`, 'data-class-filter': c, onclick: () => this.toggleClass(c)},
            c === 'plain' ? 'memory' : c,
          ),
        ),
    );
    this.quiet = ravel.el('input', {
      type: 'checkbox',
      id: 'quiet',
      onchange: () => this.filter({quiet: this.quiet.checked}),
    });
    this.quiet.checked = t.filter.quiet;
    this.arrows = ravel.el(
      'select',
      {
        id: 'arrows',
        title: 'arrows of happens-before (a)',
        onchange: () => {
          this.lanes.arrows = this.arrows.value;
          this.lanes.draw();
        },
      },
      [
        ['all', 'all arrows'],
        ['near', 'arrows of the cursor'],
        ['none', 'no arrows'],
      ].map(([value, text]) => ravel.el('option', {value, selected: value === this.lanes.arrows}, text)),
    );
    return ravel.el(
      'div',
      {class: 'toolbar'},
      this.search,
      this.hits,
      this.chips,
      this.classes,
      this.objects,
      this.arrows,
      ravel.el('label', {title: 'heap, starts and ends of threads, and code of libraries'}, this.quiet, ' background'),
      this.order ? this.orderButton() : null,
      this.shown,
    );
  }

  // Lanes of threads and objects instead of those of threads.
  orderButton() {
    this.orderChip = ravel.el(
      'button',
      {class: 'chip view', id: 'order', title: 'the order of synchronisation, as a space-time diagram (d)', onclick: () => this.toggleOrder()},
      'space-time',
    );
    return this.orderChip;
  }
  toggleOrder() {
    const on = this.order.node.hidden;
    this.order.node.hidden = !on;
    this.lanes.node.hidden = on;
    this.orderChip.classList.toggle('on', on);
    if (on) this.order.select(this.selected);
    else this.lanes.reveal(this.selected);
  }

  start(event) {
    this.tellShown();
    this.lanes.layout();
    this.minimap.draw();
    const roles = [...this.trace.roles.keys()].sort((a, b) => a - b);
    const fallback = roles.length ? roles[0] : 0;
    this.go(this.trace.nearestShown(event === null ? fallback : event - this.trace.first));
  }

  go(i, end) {
    if (end) {
      this.source.show(this.trace.places[end.place], 'var(--bad)');
      return;
    }
    if (i === undefined || i < 0 || i >= this.trace.size) return;
    if (!this.trace.isShown(i)) this.unhide(i);
    this.selected = i;
    this.lanes.reveal(i);
    if (this.order) this.order.select(i);
    this.details.show(i);
    this.source.show(this.trace.placeOf(i), ravel.threadColor(this.trace.thread[i]));
    this.onSelect(this.trace.first + i);
  }

  // A link may lead to an event that the filters hide.
  unhide(i) {
    const f = this.trace.filter;
    f.threads.add(this.trace.thread[i]);
    this.filter({object: 0, classes: null, quiet: f.quiet || !!this.trace.quiet[i]});
  }

  filter(change) {
    this.trace.setFilter(change);
    const f = this.trace.filter;
    this.quiet.checked = f.quiet;
    this.objects.value = f.object;
    for (const chip of this.chips.children)
      chip.classList.toggle('on', f.threads.has(Number(chip.dataset.threadFilter)));
    for (const chip of this.classes.children)
      chip.classList.toggle('on', !f.classes || f.classes.has(chip.dataset.classFilter));
    this.lanes.layout();
    this.find();
    const nearest = this.trace.nearestShown(this.selected || 0);
    if (nearest >= 0) this.go(nearest);
    this.minimap.draw();
    this.tellShown();
  }

  // A short execution needs no overview.
  tellShown() {
    this.work.classList.toggle('with-map', this.trace.rows.length > 60);
    this.shown.textContent = `${ravel.grouped(this.trace.rows.length)} of ${ravel.plural(this.trace.size, 'event')}`;
  }

  toggleThread(thread) {
    const threads = new Set(this.trace.filter.threads);
    if (!threads.delete(thread)) threads.add(thread);
    if (threads.size) this.filter({threads});
  }
  soloThread(thread) {
    this.filter({threads: new Set([thread])});
  }

  toggleClass(name) {
    const classes = this.trace.filter.classes ? new Set(this.trace.filter.classes) : new Set(this.trace.classes());
    if (!classes.delete(name)) classes.add(name);
    this.filter({classes});
  }

  find() {
    const matches = this.trace.matcher(this.search.value);
    this.lanes.matches = matches;
    let count = 0;
    if (matches) for (const i of this.trace.rows) if (matches(i)) ++count;
    this.hits.textContent = matches ? `${ravel.grouped(count)} found` : '';
    this.lanes.draw();
    this.minimap.draw();
  }

  searchKey(event) {
    if (event.key === 'Enter') this.step(event.shiftKey ? -1 : 1, this.lanes.matches || (() => false), true);
    else if (event.key === 'Escape') {
      this.search.value = '';
      this.find();
      this.search.blur();
    } else return;
    event.preventDefault();
  }

  step(direction, wanted, around) {
    let i = this.trace.seek(this.selected, direction, wanted);
    if (i < 0 && around) i = this.trace.seek(direction > 0 ? -1 : this.trace.size, direction, wanted);
    if (i >= 0) this.go(i);
  }

  key(event) {
    const t = this.trace,
      now = this.selected;
    const page = Math.max(1, Math.floor(this.lanes.scroll.clientHeight / ravel.ROW) - 2);
    const sameThread = (i) => t.thread[i] === t.thread[now],
      sameObject = (i) => t.object[i] === t.object[now];
    const actions = {
      ArrowDown: () => this.step(1, () => true),
      j: () => this.step(1, () => true),
      ArrowUp: () => this.step(-1, () => true),
      k: () => this.step(-1, () => true),
      ArrowRight: () => this.step(1, sameThread),
      l: () => this.step(1, sameThread),
      ArrowLeft: () => this.step(-1, sameThread),
      h: () => this.step(-1, sameThread),
      PageDown: () => this.go(t.rows[Math.min(t.rows.length - 1, t.rowOf(now) + page)]),
      PageUp: () => this.go(t.rows[Math.max(0, t.rowOf(now) - page)]),
      Home: () => this.go(t.rows[0]),
      End: () => this.go(t.rows[t.rows.length - 1]),
      n: () => this.step(1, (i) => t.roles.has(i), true),
      N: () => this.step(-1, (i) => t.roles.has(i), true),
      s: () => this.step(1, (i) => t.isSwitch(i)),
      S: () => this.step(-1, (i) => t.isSwitch(i)),
      '.': () => this.step(1, sameObject),
      ',': () => this.step(-1, sameObject),
      o: () => this.filter({object: t.filter.object ? 0 : t.object[now]}),
      a: () => {
        this.arrows.selectedIndex = (this.arrows.selectedIndex + 1) % 3;
        this.arrows.dispatchEvent(new Event('change'));
      },
      b: () => this.filter({quiet: !t.filter.quiet}),
      d: () => this.order && this.toggleOrder(),
      '/': () => this.search.focus(),
    };
    if (!this.trace || !actions[event.key]) return false;
    actions[event.key]();
    return true;
  }

  close() {
    if (this.lanes) this.lanes.close();
    if (this.minimap) this.minimap.close();
  }
};
