// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// browser.mjs SAMPLES PICTURES: opens the HTML reports in Chromium from file:// and uses them as a person would. One browser
// for all cases; a picture of each page is left in PICTURES for people to look at.
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';

const require = createRequire(import.meta.url);
const {chromium} = require('playwright-core');
const [samples, pictures] = process.argv.slice(2).map((p) => path.resolve(p));
fs.mkdirSync(pictures, {recursive: true});

let wrong = 0,
  checks = 0;
function check(good, what) {
  ++checks;
  if (good) return;
  ++wrong;
  console.log(`FAIL: ${what}`);
}
const same = (found, wanted, what) =>
  check(
    JSON.stringify(found) === JSON.stringify(wanted),
    `${what}: ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`,
  );

const executable = process.env.RAVEL_CHROMIUM || '/usr/bin/chromium';
const browser = await chromium.launch({
  executablePath: executable,
  args: process.getuid() === 0 ? ['--no-sandbox'] : [],
});

// A page whose every complaint, and every wish for the network, is a failure.
async function open(name, hash = '', scheme = 'light', size = {width: 1440, height: 900}) {
  const page = await browser.newPage({viewport: size, colorScheme: scheme});
  const complain = (what) => check(false, `${name}${hash}: ${what}`);
  page.on('console', (message) => complain(`console ${message.type()}: ${message.text().slice(0, 300)}`));
  page.on('pageerror', (error) => complain(`error: ${error.message.slice(0, 300)}`));
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) complain(`asks for ${request.url().slice(0, 200)}`);
  });
  const begin = Date.now();
  await page.goto(`file://${samples}/${name}${hash}`);
  await page.waitForSelector('html[data-ready]');
  page.seconds = (Date.now() - begin) / 1000;
  return page;
}
const data = (page) => page.evaluate(() => JSON.parse(document.getElementById('data').textContent));
const selected = (page) => page.evaluate(() => Number(document.querySelector('.event.selected')?.dataset.event ?? -1));
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
const shot = async (page, name) => {
  check(!(await page.locator('main').innerText()).includes('[object '), `${name}: an object shown as its type`);
  await page.screenshot({path: `${pictures}/${name}.png`});
};

// Background and text must differ enough to be read.
async function contrast(page, selector) {
  return page.evaluate((s) => {
    const channel = (v) => {
      v /= 255;
      return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
    };
    const light = (c) => {
      const [r, g, b] = c.match(/[\d.]+/g).map(Number);
      return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    };
    const solid = (node) => {
      for (let n = node; n; n = n.parentElement) {
        const c = getComputedStyle(n).backgroundColor;
        if (!/, 0\)$/.test(c)) return c;
      }
      return 'rgb(255,255,255)';
    };
    const node = document.querySelector(s);
    const a = light(getComputedStyle(node).color),
      b = light(solid(node));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }, selector);
}

async function summary() {
  for (const scheme of ['light', 'dark']) {
    const page = await open('run.html', '', scheme);
    same(await page.locator('.finding-link').count(), 3, 'findings on the summary');
    check((await page.locator('.banner h1').innerText()) === '3 findings', 'headline');
    same(await page.locator('.chart').count(), 2, 'curves');
    check((await page.locator('.cards').innerText()).includes('portfolio'), 'the strategy is named');
    for (const part of ['.banner h1', '.hint', '.kind', '.tabs button', '.bar-name'])
      check((await contrast(page, part)) >= 4, `${scheme}: contrast of ${part}`);
    await shot(page, `summary-${scheme}`);
    await page.locator('.finding-link').nth(1).click();
    check((await page.locator('.finding-head .kind').innerText()) === 'deadlock', 'a click opens the finding');
    await page.close();
  }
  const page = await open('replay.html');
  check((await page.locator('#verdict').innerText()) === 'clean', 'verdict of a replay');
  await press(page, '1');
  check((await page.locator('.event').count()) > 5, 'a clean replay shows its trace');
  await page.close();
}

// What is drawn against the data: each event in the lane of its thread and in order, bars and arrows where they belong.
async function lanes() {
  for (const scheme of ['light', 'dark']) {
    const page = await open('run.html', '#finding=1', scheme);
    const {timelines} = await data(page);
    const line = timelines[0];
    await page.locator('#quiet').check();
    const drawn = await page.evaluate(() => {
      const heads = [...document.querySelectorAll('.lane-head')].map((h) => ({
        thread: h.querySelector('b').textContent,
        x: h.getBoundingClientRect().x,
        right: h.getBoundingClientRect().right,
      }));
      return [...document.querySelectorAll('.event[data-event]')].map((node) => {
        const box = node.getBoundingClientRect();
        const head = heads.find((h) => box.x >= h.x - 1 && box.right <= h.right + 1);
        return {
          event: Number(node.dataset.event),
          lane: head && head.thread,
          y: box.y,
          text: node.innerText.replace(/\s+/g, ' ').trim(),
        };
      });
    });
    same(
      drawn.map((d) => d.event),
      line.events.thread.map((_, i) => i),
      'all events, in order',
    );
    same(
      drawn.map((d) => d.lane),
      line.events.thread.map((t) => `T${t}`),
      'each in the lane of its thread',
    );
    check(
      drawn.every((d, i) => i === 0 || d.y > drawn[i - 1].y),
      'time runs downwards',
    );
    check(drawn[4].text.includes('read balance -> 100'), `value read: ${drawn[4].text}`);
    check(drawn[9].text.includes('write balance = 130'), `value written: ${drawn[9].text}`);
    same(
      await page.$$eval('.arrow', (all) => all.map((a) => [Number(a.dataset.from), Number(a.dataset.to)])),
      line.edges.map((e) => e.slice(0, 2)),
      'arrows',
    );
    // Each begins beside its first event and ends beside its second one.
    const ends = await page.evaluate(() => {
      const box = (i) => document.querySelector(`.event[data-event="${i}"]`).getBoundingClientRect();
      const far = (rect, p) =>
        Math.max(rect.left - p.x, p.x - rect.right, 0) + Math.abs(p.y - (rect.top + rect.bottom) / 2);
      return [...document.querySelectorAll('.arrow')].map((path) => {
        const at = (length) => path.getPointAtLength(length).matrixTransform(path.getScreenCTM());
        return [far(box(path.dataset.from), at(0)), far(box(path.dataset.to), at(path.getTotalLength()))];
      });
    });
    check(
      ends.length > 0 && ends.flat().every((distance) => distance < 14),
      `arrows end at their events: ${JSON.stringify(ends)}`,
    );
    same(
      await page.$$eval('.event.decisive', (all) => all.map((e) => Number(e.dataset.event))),
      [4, 7, 9, 13],
      'decisive events',
    );
    same(
      await page
        .locator('.event.end')
        .innerText()
        .then((t) => t.replace(/\s+/g, ' ').trim()),
      'assertion bank.cpp:31',
      'the failure closes the story',
    );
    for (const part of ['.event .op', '.event .value', '.lane-head', '.details dt', '.source .number'])
      check((await contrast(page, part)) >= 3.5, `${scheme}: contrast of ${part}`);
    await shot(page, `finding-${scheme}`);
    await page.close();
  }
  const page = await open('run.html', '#finding=2');
  const bars = await page.$$eval('.lock', (all) =>
    all.map((bar) => [bar.querySelector('title').textContent, bar.getBoundingClientRect().height > 20]),
  );
  same(
    bars,
    [
      ['T1 holds a', true],
      ['T2 holds b', true],
    ],
    'bars of the locks that are held',
  );
  same(await page.locator('.event.end').count(), 2, 'what never succeeds');
  same(await page.locator('.lock-link').allInnerTexts(), ['a'], 'locks held at the cursor');
  same(
    await page.locator('.details .event-link').allInnerTexts(),
    ['T0 create T1 #0'],
    'what happens before; the start is hidden',
  );
  await shot(page, 'deadlock');
  await page.close();
}

async function keys() {
  const page = await open('run.html', '#finding=1&event=4');
  same(await selected(page), 4, 'the address leads to an event');
  check((await page.locator('.line.current').innerText()).includes('int seen = balance;'), 'the source follows');
  await press(page, 'ArrowDown');
  same(await selected(page), 6, 'next event; the start of a thread is background');
  await press(page, 'j', 'k', 'k');
  same(await selected(page), 4, 'j and k');
  await press(page, 'ArrowRight');
  same(await selected(page), 9, 'next event of the thread');
  check(
    (await page.locator('.line.current').innerText()).includes('balance = seen + amount;'),
    'the source follows again',
  );
  await press(page, ',');
  same(await selected(page), 7, 'event of the object before');
  await press(page, 'n', 'n');
  same(await selected(page), 13, 'decisive event');
  await press(page, 'Home');
  same(await selected(page), 0, 'first');
  await press(page, 's');
  same(await selected(page), 4, 'context switch');
  check(page.url().endsWith('#finding=1&event=4'), `address ${page.url()}`);
  await press(page, '/');
  await page.keyboard.type('= 70');
  same(await page.locator('#hits').innerText(), '1 found', 'search');
  await press(page, 'Enter');
  same(await selected(page), 7, 'the match');
  await press(page, 'Escape', '?');
  check(await page.locator('#help').isVisible(), 'help');
  await press(page, 'Escape', '0');
  check(await page.locator('.summary').isVisible(), 'summary by key');
  await press(page, '2', 't', 't');
  same(await page.evaluate(() => document.documentElement.dataset.theme), 'dark', 'theme');
  await page.close();
}

async function filters() {
  const page = await open('run.html', '#finding=1&event=4');
  const events = () => page.$$eval('.event[data-event]', (all) => all.map((e) => Number(e.dataset.event)));
  const whole = await events();
  await page.locator('[data-thread-filter="2"]').click();
  same(
    await events(),
    whole.filter((i) => i !== 6 && i !== 7),
    'without a thread',
  );
  same(await page.locator('.lane-head').count(), 2, 'its lane is gone');
  await page.locator('[data-thread-filter="2"]').click();
  same(await events(), whole, 'with it again');
  await page.selectOption('#objects', {index: 1});
  const {timelines} = await data(page);
  const object = timelines[0].events.object[4];
  same(
    await events(),
    whole.filter((i) => timelines[0].events.object[i] === object),
    'one object',
  );
  same(await page.locator('#shown').innerText(), '6 of 14 events', 'how many are shown');
  await press(page, 'o');
  await page.locator('[data-class-filter="plain"]').click();
  check(
    (await events()).every((i) => timelines[0].events.kind[i] !== 6 || [4, 13].includes(i)),
    'no plain accesses but the decisive ones',
  );
  await page.close();
}

// Processor time of the page's main thread: other work on the machine does not count.
async function processorTime(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', {timeDomain: 'threadTicks'});
  return async () =>
    (await session.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
}

async function large() {
  const page = await browser.newPage({viewport: {width: 1440, height: 900}});
  page.on('pageerror', (error) => check(false, `large: ${error.message}`));
  const used = await processorTime(page);
  const begin = Date.now();
  await page.goto(`file://${samples}/large.html#finding=1`);
  await page.waitForSelector('.event.selected');
  page.seconds = (Date.now() - begin) / 1000;
  const ready = await page.evaluate(() => Number(document.documentElement.dataset.ready));
  const shown = await page.locator('#shown').innerText();
  check(/^100\u2009008 of 100\u2009008/.test(shown), `all are there: ${shown}`);
  const drawn = await used();
  check(drawn > 0 && drawn <= 2, `100 000 events: ${drawn.toFixed(2)} s of processor time until drawn`);
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  check(nodes < 3000, `${nodes} elements`);
  const timed = async (what, limit, action) => {
    const before = await used();
    await page.evaluate(action);
    const ms = 1000 * ((await used()) - before);
    check(ms <= limit, `${what}: ${ms.toFixed(0)} ms`);
    return ms;
  };
  const jump = await timed('to the end', 300, () => ravel.app.page.key({key: 'End'}));
  same(await selected(page), 100007, 'the last event');
  const scroll = await timed('fifty steps of scrolling', 3000, () => {
    for (let i = 0; i < 50; ++i) {
      ravel.app.page.lanes.scroll.scrollTop = i * 50000;
      ravel.app.page.lanes.draw();
    }
  });
  const search = await timed('search', 1000, () => {
    const page = ravel.app.page;
    page.search.value = 'shared3';
    page.find();
  });
  same(await page.locator('#hits').innerText(), '10\u2009000 found', 'matches');
  await press(page, 'Home');
  const filter = await timed('filter', 1000, () => ravel.app.page.toggleThread(3));
  await shot(page, 'large');
  console.log(
    `100 000 events: drawn after ${page.seconds.toFixed(2)} s, processor ${drawn.toFixed(2)} s (script ${ready} ms), jump ${jump.toFixed(0)} ms, 50 scrolls ${scroll.toFixed(0)} ms, search ${search.toFixed(0)} ms, filter ${filter.toFixed(0)} ms`,
  );
  await page.close();
}

async function hostile() {
  for (const hash of ['', '#finding=1', '#finding=2']) {
    const page = await open('hostile.html', hash);
    check(await page.evaluate(() => window.hacked === undefined), `${hash}: a script of the program ran`);
    check(
      await page.evaluate(() => document.querySelectorAll('img, main script, iframe').length === 0),
      `${hash}: markup of the program`,
    );
    check((await page.locator('main').innerText()).includes('<script>window.hacked=1'), `${hash}: shown as text`);
    check(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth + 1),
      `${hash}: wider than the window`,
    );
    if (hash) await press(page, 'End', 'ArrowUp', 'n', 'o', 'o');
    await shot(page, `hostile${hash.replace(/\W/g, '-')}`);
    await page.close();
  }
  const page = await open('hostile_replay.html');
  await page.close();
  const small = await open('run.html', '#finding=1', 'light', {width: 700, height: 800});
  check(
    (await small.locator('.source').isVisible()) && (await small.locator('.event').first().isVisible()),
    'narrow window',
  );
  await small.close();
}

// The space-time diagram: a row for each completed operation on an object that several threads use, a dot on both lanes, and
// hollow ones for what never came.
async function order() {
  for (const scheme of ['light', 'dark']) {
    const page = await open('run.html', '#finding=2', scheme);
    const {timelines, timeline_of_finding} = await data(page);
    const line = timelines[timeline_of_finding[1]];
    const end = line.events.kind.length;
    const users = new Map();
    for (const event of line.sequence)
      if (event.object) users.set(event.object, (users.get(event.object) || new Set()).add(event.thread));
    const wanted = line.sequence.filter((event) => !event.object || users.get(event.object).size > 1);
    check(wanted.length > 3, 'a deadlock has an order to show');
    check(!(await page.locator('.order').isVisible()), 'lanes of threads at first');
    await press(page, 'd');
    check((await page.locator('.order').isVisible()) && !(await page.locator('.lanes').isVisible()), 'key d');
    same(
      await page.$$eval('.order-row', (rows) => rows.map((row) => Number(row.dataset.event))),
      wanted.map((event) => event.event),
      'a row for each event',
    );
    same(await page.locator('.order-row.waits').count(), wanted.filter((event) => event.event === end).length, 'calls that wait');
    const threads = new Set(line.sequence.map((event) => event.thread)),
      objects = new Set(wanted.filter((event) => event.object).map((event) => event.object));
    same(await page.locator('.order-lane').count(), threads.size + objects.size, 'a lane for each thread and object');
    same(await page.locator('.order-dot').count(), wanted.length + wanted.filter((event) => event.object).length, 'two dots an event');
    const came = wanted.findIndex((event) => event.event < end);
    await page.locator('.order-row .order-text').nth(came).click();
    same(await page.locator('.order-row.selected').count(), 1, 'a click selects');
    check(page.url().includes(`event=${line.first_event + wanted[came].event}`), `and says so: ${page.url()}`);
    await shot(page, `order-${scheme}`);
    await page.locator('#order').click();
    same(await selected(page), wanted[came].event, 'back to the lanes, at the same event');
    await page.close();
  }
}

for (const part of [summary, lanes, keys, filters, order, large, hostile]) {
  const before = wrong;
  try {
    await part();
  } catch (error) {
    check(false, `${part.name}: ${error.message.slice(0, 600)}`);
  }
  console.log(`${part.name}: ${wrong === before ? 'good' : `${wrong - before} wrong`}`);
}
await browser.close();
console.log(`${checks} checks, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);
