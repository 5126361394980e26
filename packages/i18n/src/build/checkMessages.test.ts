import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkMessages } from './checkMessages.ts'
import { readMessageFile } from './messageFiles.ts'
import { problemLine } from './problem.ts'

/** Checks messages that are written one group or message to a line. The first are in English. */
function check(tables: Readonly<Record<string, object>>): string[] {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-messages-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [locale, table] of Object.entries(tables)) {
    writeFileSync(path.join(root, `${locale}.json`), JSON.stringify(table, null, 1))
  }
  const files = Object.keys(tables).map((locale) => readMessageFile(root, locale))
  return checkMessages(files, root).map((problem) => problemLine(problem, root))
}

test('complete messages have no problems', () => {
  const files = '{count, plural, one {# file} other {# files}}'
  expect(
    check({
      en: { a: { b: 'Hello <b>{name}</b>', files } },
      de: { a: { b: '<b>{name}</b>, hallo', files } },
      ja: { a: { b: '<b>{name}</b>', files: '{count, plural, other {# 個}}' } },
    }),
  ).toEqual([])
})

test('a missing message is named once, with all languages that lack it', () => {
  expect(
    check({ en: { a: { b: 'B', c: 'C' }, d: 'D' }, de: { a: { b: 'B' } }, ar: { a: {}, d: 'D' } }),
  ).toEqual([
    'en.json:4: a.c is missing in de.json and ar.json.',
    'en.json:6: d is missing in de.json.',
    'en.json:3: a.b is missing in ar.json.',
  ])
})

test('a message in place of a group is unknown, and the group is missing', () => {
  expect(check({ en: { menu: { b: 'B' } }, de: { menu: 'A' } })).toEqual([
    'en.json:2: the group menu with one message is missing in de.json.',
    "de.json:2: menu isn't in en.json. Add it there, or delete it.",
  ])
})

test('names that every object has are ordinary keys', () => {
  expect(check({ en: { a: 'A', constructor: 'B' }, de: { a: 'A', toString: 'C' } })).toEqual([
    'en.json:3: constructor is missing in de.json.',
    "de.json:3: toString isn't in en.json. Add it there, or delete it.",
  ])
})

test.each([
  ['{a}', '{a} {a}', null],
  ['{a} {b}', '{a}', 'lacks {b}'],
  ['{a}', '{b}', 'lacks {a} and has {b}'],
  ['{a, date, short}', '{a}', null],
  ['{a, select, x {{b}} other {}}', '{a, select, x {} other {}}', 'lacks {b}'],
  ['{a, plural, one {<b>#</b>} other {#}}', '{a, plural, one {#} other {#}}', 'lacks <b>'],
  ['<b>{a}</b>', "'<b>'{a}", 'lacks <b>'],
  ['<b>#</b>', '<b></b>', null],
])('the arguments of %s and %s: %s', (english, german, reason) => {
  const text = `de.json:2: m ${reason}, unlike the message in en.json.`
  expect(check({ en: { m: english }, de: { m: german } })).toEqual(reason === null ? [] : [text])
})

test.each([
  ['en', '{n, plural, other {#}}', 'form one of {n}, which English needs for numbers such as 1'],
  ['en', '{n, plural, =1 {one} other {#}}', null],
  ['en', '{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', null],
  [
    'en',
    '{n, selectordinal, one {#st} other {#th}}',
    'forms two and few of {n}, which English needs for numbers such as 2 and 3',
  ],
  [
    'ru',
    '{n, plural, =1 {#} few {#} many {#} other {#}}',
    'form one of {n}, which Russian needs for numbers such as 21',
  ],
  // Only millions are `many` in French, and only fractions in Czech.
  ['fr', '{n, plural, one {#} other {#}}', null],
  ['cs', '{n, plural, one {#} few {#} other {#}}', null],
  ['ar', '{n, plural, =0 {#} =1 {#} =2 {#} few {#} many {#} other {#}}', null],
  ['ja', '{n, plural, other {#}}', null],
  [
    'de',
    '{a, select, x {{n, plural, other {#}}} other {}}',
    'form one of {n}, which German needs for numbers such as 1',
  ],
])('the plural forms in %s of %s', (locale, message, reason) => {
  const text = `${locale}.json:2: m lacks the plural ${reason}.`
  expect(check({ [locale]: { m: message } })).toEqual(reason === null ? [] : [text])
})

test('a mistake in a file names its line', () => {
  expect(() => check({ en: { a: 'A', b: { a: '{' } } })).toThrow(
    /en\.json:4: b\.a isn't valid ICU syntax/,
  )
  expect(() => check({ en: { ä: '日本', b: 1 } })).toThrow(/en\.json:3: b isn't a string/)
})
