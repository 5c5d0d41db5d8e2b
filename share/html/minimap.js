// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The whole execution on one strip: where each thread ran, the decisive events, matches of the search, and the part in
// sight. A press or drag goes there.
'use strict';

ravel.Minimap = class {
  constructor(trace, lanes) {
    this.trace = trace;
    this.lanes = lanes;
    this.canvas = ravel.el('canvas', {class: 'minimap', title: 'the whole execution'});
    this.view = ravel.el('div', {class: 'minimap-view'});
    this.node = ravel.el(
      'div',
      {class: 'minimap-box', onpointerdown: (e) => this.go(e), onpointermove: (e) => e.buttons && this.go(e)},
      this.canvas,
      this.view,
    );
    lanes.onDraw = () => this.place();
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.node);
  }

  total() {
    return this.trace.rows.length + (this.lanes.ends || []).length;
  }

  draw() {
    const t = this.trace,
      ratio = window.devicePixelRatio || 1;
    const width = this.node.clientWidth,
      height = this.node.clientHeight;
    if (!width || !height) return;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const g = this.canvas.getContext('2d');
    g.scale(ratio, ratio);
    const style = getComputedStyle(this.node);
    const colors = Array.from({length: 8}, (_, k) => style.getPropertyValue(`--thread-${k}`).trim());
    const lanes = this.lanes.lanes || [],
      column = width / Math.max(1, lanes.length);
    const tall = Math.max(1, height / Math.max(1, this.total()));
    // One mark a thread and pixel, however many events lie there.
    const seen = new Uint8Array((Math.ceil(height) + 1) * Math.max(1, lanes.length));
    const laneOf = new Int32Array(t.threadCount).fill(-1);
    lanes.forEach((thread, lane) => {
      laneOf[thread] = lane;
    });
    const total = this.total();
    for (let row = 0; row < t.rows.length; ++row) {
      const thread = t.thread[t.rows[row]],
        lane = laneOf[thread],
        y = Math.floor((row / total) * height);
      const key = y * lanes.length + lane;
      if (seen[key]) continue;
      seen[key] = 1;
      g.fillStyle = colors[thread % 8];
      g.fillRect(lane * column + 1, y, Math.max(1, column - 2), tall);
    }
    const strip = (i, size, from) => g.fillRect(from, (t.rowOf(i) / total) * height - size / 2, width - from, size);
    g.fillStyle = style.getPropertyValue('--match').trim();
    if (this.lanes.matches) {
      let last = -1;
      for (const i of t.rows) {
        const y = Math.floor((t.rowOf(i) / total) * height);
        if (y !== last && this.lanes.matches(i)) strip(((last = y), i), 1.5, width - 8);
      }
    }
    g.fillStyle = style.getPropertyValue('--decisive').trim();
    for (const i of t.roles.keys()) if (t.isShown(i)) strip(i, 3, 0);
    this.place();
  }

  place() {
    const all = Math.max(1, this.total()) * ravel.ROW,
      height = this.node.clientHeight,
      scroll = this.lanes.scroll;
    this.view.style.top = `${Math.min(height - 6, (scroll.scrollTop / all) * height)}px`;
    this.view.style.height = `${Math.max(6, Math.min(1, scroll.clientHeight / all) * height)}px`;
  }

  go(event) {
    const box = this.node.getBoundingClientRect();
    const part = (event.clientY - box.top) / box.height;
    this.lanes.scroll.scrollTop = part * this.total() * ravel.ROW - this.lanes.scroll.clientHeight / 2;
  }

  close() {
    this.observer.disconnect();
  }
};
