import { expect, test } from 'vitest'
import { fixtureMap } from './appMap.ts'
import type { StoredRecord } from './journalFiles.ts'
import { reportViolations, storedViolations } from './stored.ts'

const secret = 'Zq7Ab2Cd3Ef4Gh5Jk6Lm7'
const clientText = 'Bq9.Ab2Cd3Ef4Gh5Ab6Cd7'
const entry = { kind: 'error', phase: 'document', path: '/fail', replay: { target: '/fail' } }

function counts(series: readonly unknown[]): StoredRecord {
  return { kind: 'counts', data: { series, vitals: [], documents: [], refused: 3 } }
}

function find(records: readonly StoredRecord[], metrics = ''): string[] {
  const violations = storedViolations({ records, metrics }, fixtureMap)
  return violations.map(({ kind, detail }) => `${kind}: ${detail}`)
}

test.each<readonly [what: string, record: StoredRecord, expected: string[]]>([
  ['an entry without one', entry, []],
  ['a path as it was requested', { ...entry, path: `/fail/${secret}?${secret}` }, []],
  [
    'a query in the path',
    { ...entry, path: `/fail?token=${secret}` },
    ['a secret was stored: path'],
  ],
  [
    'a request to send again',
    { ...entry, replay: { target: `/fail/${secret}` } },
    ['a secret was stored: replay.target'],
  ],
  [
    'a name of an argument',
    { ...entry, replay: { action: { arguments: [{ json: { [secret]: 1 } }] } } },
    ['a secret was stored: a name in replay.action.arguments.json'],
  ],
  [
    'an error of a beacon',
    { ...entry, path: '/_waymark/arrivals' },
    ['a journal entry: document /_waymark/arrivals'],
  ],
  ['counts', counts([{ route: '/', build: 'b1', digests: ['abcd-efgh-jkm'] }]), []],
  ['counts with a text', counts([{ route: clientText }]), ['text of a beacon was stored: counts']],
  ['counts of too many', counts(Array(4_001).fill({})), ['too many series: counts']],
])('the journal: %s', (_, record, expected) => expect(find([record])).toEqual(expected))

test('metrics and the report', () => {
  const line = 'waymark_arrivals_total{route="/",build="b1"} 1\n'
  expect(find([], line)).toEqual([])
  expect(find([], line.replace('b1', clientText))).toEqual(['text of a beacon was stored: metrics'])
  expect(find([], line.repeat(10_000))).toEqual(['too many series: metrics'])
  expect(reportViolations(`<td>${clientText}</td>`)).toMatchObject([
    { detail: 'report', mark: clientText },
  ])
})
