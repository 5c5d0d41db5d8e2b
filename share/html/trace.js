// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One execution with what can be asked of it: which events are shown under the present filters (rows), locks held,
// arrows, neighbours. Events are named by index; `first` more is the number that `ravel replay --until` takes.
'use strict';

ravel.Bits = {order: 7, failed: 8, timeout: 16, spurious: 32, chosen: 64, waited: 128};
ravel.orders = ['relaxed', 'consume', 'acquire', 'release', 'acq_rel', 'seq_cst'];

ravel.Trace = class {
  constructor(timeline, operations, roles) {
    this.first = timeline.first_event;
    this.threads = timeline.threads;
    this.places = timeline.places;
    this.objects = timeline.objects;
    this.values = timeline.values;
    this.operations = operations;
    this.waits = timeline.waits;
    this.files = timeline.files;
    this.outcome = timeline.outcome;
    this.failingThread = timeline.failing_thread;
    this.failingPlace = timeline.failing_place;
    this.edgesExact = timeline.edges_exact;
    const e = timeline.events;
    this.size = e.thread.length;
    this.thread = Uint32Array.from(e.thread);
    this.kind = Uint8Array.from(e.kind);
    this.bits = Uint8Array.from(e.bits);
    this.quiet = Uint8Array.from(e.quiet);
    this.place = Uint32Array.from(e.place);
    this.object = Uint32Array.from(e.object);
    this.value = Uint32Array.from(e.value);
    this.locks = timeline.locks.map(([thread, object, from, to, shared]) => ({
      thread,
      object,
      from,
      to,
      shared: !!shared,
    }));
    this.assignSlots();
    this.edges = timeline.edges.map(([from, to, wakes]) => ({from, to, wakes: !!wakes}));
    this.roles = new Map();
    for (const role of roles) {
      const index = role.event - this.first;
      if (index >= 0 && index < this.size) this.roles.set(index, role.text);
    }
    this.usedThreads = this.threadsInUse();
    this.threadCount = Math.max(0, ...this.usedThreads) + 1;
    this.filter = {threads: new Set(this.usedThreads), classes: null, object: 0, quiet: false};
    this.update();
    if (this.rows.length === 0) this.setFilter({quiet: true});
  }

  operation(i) {
    return this.operations[this.kind[i]][0];
  }
  operationClass(i) {
    return this.operations[this.kind[i]][1];
  }
  objectText(i) {
    return this.objects[this.object[i]];
  }
  valueText(i) {
    return this.values[this.value[i]];
  }
  placeOf(i) {
    return this.places[this.place[i]];
  }
  threadTitle(index) {
    const thread = this.threads[index];
    if (!thread) return `T${index}`;
    return `T${index} ${thread.lineage}` + (thread.name ? ` \u201c${thread.name}\u201d` : '');
  }
  describe(i) {
    return [this.operation(i), this.objectText(i), this.valueText(i)].filter(Boolean).join(' ');
  }

  threadsInUse() {
    const seen = new Set();
    let last = -1;
    for (const thread of this.thread) if (thread !== last) seen.add((last = thread));
    for (const wait of this.waits) seen.add(wait.thread);
    if (this.failingThread !== null) seen.add(this.failingThread);
    return [...seen].sort((a, b) => a - b);
  }

  // Bars of locks that one thread holds at the same time stand side by side.
  assignSlots() {
    const open = new Map();
    this.slots = new Map();
    for (const lock of this.locks) {
      const ends = open.get(lock.thread) || [];
      open.set(lock.thread, ends);
      let slot = ends.findIndex((end) => end < lock.from);
      if (slot < 0) slot = ends.length;
      ends[slot] = lock.to;
      lock.slot = slot;
      this.slots.set(lock.thread, Math.max(this.slots.get(lock.thread) || 0, slot + 1));
    }
  }

  setFilter(change) {
    Object.assign(this.filter, change);
    this.update();
  }

  // Whether the filters show event i. Sets are turned into tables first: this is asked of every event.
  test() {
    const f = this.filter;
    const threads = new Uint8Array(this.threadCount);
    for (const thread of f.threads) threads[thread] = 1;
    const kinds = Uint8Array.from(this.operations, (row) => (!f.classes || f.classes.has(row[1]) ? 1 : 0));
    return (i) =>
      threads[this.thread[i]] &&
      (f.quiet || !this.quiet[i]) &&
      (!f.object || this.object[i] === f.object) &&
      kinds[this.kind[i]];
  }

  // rows: indices of the events shown. rowBefore[i]: how many of them come before event i.
  update() {
    const rows = new Uint32Array(this.size);
    this.rowBefore = new Uint32Array(this.size + 1);
    const passes = this.test();
    let count = 0;
    for (let i = 0; i < this.size; ++i) {
      this.rowBefore[i] = count;
      if (passes(i) || (this.roles.has(i) && this.filter.threads.has(this.thread[i]))) rows[count++] = i;
    }
    this.rowBefore[this.size] = count;
    this.rows = rows.subarray(0, count);
    this.liftEdges();
  }

  // An arrow from or to a hidden event is drawn from the event shown before it, or to the one after it, of the same
  // thread: what happens before stays so. -1: there is none.
  liftEdges() {
    const before = new Int32Array(this.size),
      after = new Int32Array(this.size);
    const last = new Int32Array(this.threadCount).fill(-1),
      next = new Int32Array(this.threadCount).fill(-1);
    for (let i = 0; i < this.size; ++i) {
      if (this.isShown(i)) last[this.thread[i]] = i;
      before[i] = last[this.thread[i]];
    }
    for (let i = this.size - 1; i >= 0; --i) {
      if (this.isShown(i)) next[this.thread[i]] = i;
      after[i] = next[this.thread[i]];
    }
    for (const edge of this.edges) {
      edge.a = before[edge.from];
      edge.b = after[edge.to];
      if (edge.a < 0 || edge.b < 0) edge.a = edge.b = -1;
    }
  }

  isShown(i) {
    return this.rowBefore[i + 1] > this.rowBefore[i];
  }
  rowOf(i) {
    return this.rowBefore[i];
  }
  // The event shown at or after i, else the last one; -1 if none is shown.
  nearestShown(i) {
    if (this.rows.length === 0) return -1;
    return this.rows[Math.min(this.rowBefore[Math.max(0, Math.min(i, this.size))], this.rows.length - 1)];
  }

  // The first shown event from `i` on in direction `step` that `wanted` takes; -1 if there is none.
  seek(i, step, wanted) {
    let row = this.rowBefore[Math.max(0, i)] + (step > 0 ? (i >= 0 && this.isShown(i) ? 1 : 0) : -1);
    for (; row >= 0 && row < this.rows.length; row += step) {
      if (wanted(this.rows[row])) return this.rows[row];
    }
    return -1;
  }

  heldAt(i) {
    return this.locks.filter((lock) => lock.thread === this.thread[i] && lock.from <= i && i < lock.to);
  }

  isSwitch(i) {
    const row = this.rowOf(i);
    return row > 0 && this.thread[this.rows[row - 1]] !== this.thread[i];
  }

  // Objects by how often the shown threads use them.
  objectCounts() {
    const counts = new Uint32Array(this.objects.length);
    for (let i = 0; i < this.size; ++i) if (!this.quiet[i]) ++counts[this.object[i]];
    return [...counts]
      .map((n, object) => [object, n])
      .filter(([object, n]) => object && n)
      .sort((a, b) => b[1] - a[1]);
  }

  classes() {
    const kinds = new Set(this.kind);
    return [...new Set([...kinds].map((kind) => this.operations[kind][1]))];
  }

  // Which kinds, objects, values and places hold the text is asked once, not of every event.
  matcher(text) {
    const needle = text.trim().toLowerCase();
    if (!needle) return null;
    const hits = (list, of) => Uint8Array.from(list, (item) => (of(item).toLowerCase().includes(needle) ? 1 : 0));
    const number = /^#?\d+$/.test(needle) ? Number(needle.replace('#', '')) - this.first : -1;
    const kinds = hits(this.operations, (row) => row[0]);
    const objects = hits(this.objects, (name) => name);
    const values = hits(this.values, (name) => name);
    const places = hits(this.places, (place) => `${place.text} ${place.function}`);
    const threads = hits(this.threads, (thread) => `t${thread.index} ${thread.lineage} ${thread.name}`);
    return (i) =>
      i === number ||
      kinds[this.kind[i]] ||
      objects[this.object[i]] ||
      values[this.value[i]] ||
      places[this.place[i]] ||
      threads[this.thread[i]];
  }
};
