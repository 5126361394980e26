import { expect, test } from 'vitest'
import { findLosses } from './losses.mjs'
import { markdownTables } from './markdown.mjs'

const measures = [
  { key: 'cpuMs', name: 'CPU ms', ratioKeys: ['ofWaymark', 'ofSpeedups'] },
  { key: 'perSecond', name: 'req/s', isHigherBetter: true },
]
const row = (server: string, page: string, cpuMs: number, perSecond: number) => ({
  server,
  page,
  cpuMs: { median: cpuMs },
  perSecond,
})

test('the largest loss comes first, with the framework that is furthest ahead', () => {
  const losses = findLosses(
    [
      row('Waymark', 'small', 1, 100),
      { ...row('A', 'small', 0.9, 110), ofWaymark: { median: 0.9 } },
      { ...row('B', 'small', 0.8, 90), ofWaymark: { median: 0.5 } },
      row('Waymark', 'large', 1, 100),
      { ...row('A', 'large', 2, 400), ofWaymark: { median: 2 } },
    ],
    { by: 'page', measures },
  )
  expect(
    losses.map(({ subject, measure, first, ratio, ahead }) => [
      subject,
      measure,
      first,
      ratio,
      ahead,
    ]),
  ).toEqual([
    ['large', 'req/s', 'A', 0.25, 1],
    ['small', 'CPU ms', 'B', 0.5, 2],
    ['small', 'req/s', 'A', 0.91, 1],
  ])
})

test('Waymark is not compared with itself, nor with values that are missing', () => {
  const losses = findLosses(
    [
      { server: 'Waymark', page: 'edit', perSecond: 10 },
      { server: 'Waymark, speedups', page: 'edit', perSecond: 20 },
      { server: 'A', page: 'edit', perSecond: 'only after a reload' },
    ],
    { by: 'page', measures },
  )
  expect(losses).toEqual([])
})

test('a table of the guide has a row for each page, and the best value is bold', () => {
  const rows = [row('Waymark', 'small', 0.1, 10_000), row('A', 'small', 0.2, 20_000)]
  expect(markdownTables(rows, { by: 'page', measures })).toBe(
    [
      '| CPU ms | Waymark | A |',
      '| --- | --- | --- |',
      '| small | **0.1** | 0.2 |',
      '',
      '| req/s | Waymark | A |',
      '| --- | --- | --- |',
      '| small | 10,000 | **20,000** |',
    ].join('\n'),
  )
})
