// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Small charts: a line over a growing quantity, and bars with their numbers.
'use strict';

// A round number not below n: 1, 2 or 5 times a power of ten.
ravel.niceCeiling = function (n) {
  if (!(n > 0)) return 1;
  const power = Math.pow(10, Math.floor(Math.log10(n)));
  return [1, 2, 5, 10].map((f) => f * power).find((x) => x >= n * 0.999999);
};

// points: [[x, y], ...]; options: title, x, y (names), format (of y), formatX, diagonal (y = x as a guide).
ravel.lineChart = function (points, options) {
  const width = 440,
    height = 200,
    left = 56,
    right = 14,
    top = 12,
    bottom = 34;
  const maxX = Math.max(...points.map((p) => p[0]), 1e-9);
  const maxY = ravel.niceCeiling(Math.max(...points.map((p) => p[1]), 1e-9));
  const px = (x) => left + (x / maxX) * (width - left - right);
  const py = (y) => height - bottom - (y / maxY) * (height - top - bottom);
  const chart = ravel.svg('svg', {
    viewBox: `0 0 ${width} ${height}`,
    class: 'chart',
    role: 'img',
    'aria-label': options.title,
  });
  for (const part of [0, 0.5, 1]) {
    chart.append(
      ravel.svg('line', {x1: left, x2: width - right, y1: py(part * maxY), y2: py(part * maxY), class: 'grid'}),
      ravel.svg('text', {x: left - 8, y: py(part * maxY) + 4, 'text-anchor': 'end'}, options.format(part * maxY)),
    );
  }
  for (const part of [0, 0.5, 1]) {
    chart.append(
      ravel.svg(
        'text',
        {x: px(part * maxX), y: height - 14, 'text-anchor': part === 0 ? 'start' : part === 1 ? 'end' : 'middle'},
        options.formatX(part * maxX),
      ),
    );
  }
  chart.append(
    ravel.svg(
      'text',
      {x: (left + width - right) / 2, y: height - 1, 'text-anchor': 'middle', class: 'axis'},
      options.x,
    ),
  );
  if (options.diagonal) {
    const end = Math.min(maxX, maxY);
    chart.append(ravel.svg('line', {x1: px(0), y1: py(0), x2: px(end), y2: py(end), class: 'guide'}));
  }
  const line = points.map((p, i) => `${i ? 'L' : 'M'}${px(p[0]).toFixed(1)} ${py(p[1]).toFixed(1)}`).join('');
  const last = points[points.length - 1];
  chart.append(
    ravel.svg('path', {d: `${line}L${px(last[0])} ${py(0)}L${px(points[0][0])} ${py(0)}Z`, class: 'area'}),
    ravel.svg('path', {d: line, class: 'line'}),
    ravel.svg('circle', {cx: px(last[0]), cy: py(last[1]), r: 3.5, class: 'dot'}),
  );
  return ravel.el(
    'figure',
    {class: 'card chart-card'},
    ravel.el('figcaption', {}, options.title),
    chart,
    options.note ? ravel.el('p', {class: 'hint'}, options.note) : null,
  );
};

// rows: [[name, number], ...], largest first.
ravel.barChart = function (rows, title) {
  const most = Math.max(...rows.map((row) => row[1]), 1);
  const list = rows.map(([name, n]) =>
    ravel.el(
      'div',
      {class: 'bar-row'},
      ravel.el('span', {class: 'bar-name'}, name),
      ravel.el(
        'span',
        {class: 'bar-track'},
        ravel.el('span', {class: 'bar-fill', style: {width: `${Math.max(0.5, (100 * n) / most)}%`}}),
      ),
      ravel.el('span', {class: 'bar-number'}, ravel.grouped(n)),
    ),
  );
  return ravel.el('figure', {class: 'card chart-card'}, ravel.el('figcaption', {}, title), list);
};
