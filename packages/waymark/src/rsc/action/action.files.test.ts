import { describe, expect, test } from 'vitest'
import { createLocale, english } from '../../screens/screenTexts.ts'
import { anonymousRequest } from '../request/readRequest.ts'
import { createScope, runInScope } from '../request/scope.ts'
import { action, limitsOf } from './action.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')
const html = '<!doctype html><script>alert(1)</script>'

type Value = { name?: unknown; photo?: unknown; papers?: unknown }

/** A schema that requires a name and a photo. */
const person = {
  '~standard': {
    version: 1 as const,
    vendor: 'test',
    validate(value: unknown) {
      const { name, photo } = value as Value
      const issues = []
      if (!name) issues.push({ message: 'Enter your name.', path: ['name'] })
      if (!photo) issues.push({ message: 'Choose a photo.', path: ['photo'] })
      return issues.length > 0 ? { issues } : { value: value as Value }
    },
  },
}

const files = {
  photo: { maxBytes: 100, types: ['image/png', 'image/jpeg'] },
  papers: { maxBytes: 50, maxFiles: 2 },
} as const

const save = action({ input: person, files }, (value) => value)

function form(...entries: [name: string, value: string | File][]): FormData {
  const fields = new FormData()
  for (const [name, value] of entries) fields.append(name, value)
  return fields
}

function run(
  input: unknown,
  ran: (input: FormData) => unknown = (fields) => save(null, fields),
  locale = english,
) {
  const url = { pathname: '/', search: '' }
  const request = anonymousRequest('/')
  const onAfterError = () => ''
  const scope = createScope({ request, url, phase: 'action', locale: () => locale, onAfterError })
  return runInScope(scope, () => ran(input as FormData)) as Promise<Record<string, unknown>>
}

const photo = new File([png], 'me.png', { type: 'image/png' })

test('a file gets its type and its extension from its content', async () => {
  const sent = new File([png], '../../evil.html', { type: 'text/html' })
  const { photo } = (await run(form(['name', 'Ada'], ['photo', sent]))) as { photo: File }
  expect([photo.name, photo.type, photo.size]).toEqual(['evil.png', 'image/png', png.byteLength])
})

test('a field for several files is an array, for one file and for none', async () => {
  const paper = new File(['x'], 'a.txt', { type: 'text/html' })
  const one = await run(form(['name', 'Ada'], ['photo', photo], ['papers', paper]))
  const [stored] = one.papers as File[]
  expect([stored?.name, stored?.type]).toEqual(['a.txt', 'application/octet-stream'])
  const empty = new File([], '', { type: 'application/octet-stream' })
  const none = await run(form(['name', 'Ada'], ['photo', photo], ['papers', empty]))
  expect(none.papers).toEqual([])
  expect((await run(form(['name', 'Ada'], ['photo', photo]))).papers).toEqual([])
})

test('an empty field counts as absent, so the schema asks for the file', async () => {
  const empty = new File([], '', { type: 'application/octet-stream' })
  expect(await run(form(['name', 'Ada'], ['photo', empty]))).toMatchObject({
    fieldErrors: { photo: ['Choose a photo.'] },
    values: { name: 'Ada' },
  })
})

describe('a file that does not match its rule', () => {
  const claimed = { type: 'image/png' }
  test.each([
    [
      'of a wrong type',
      [new File([html], 'me.png', claimed)],
      'me.png has the wrong type. Allowed types: PNG and JPEG.',
    ],
    [
      'that is too large',
      [new File([png, 'x'.repeat(100)], 'me.png', claimed)],
      'me.png is larger than 100 bytes.',
    ],
    ['that is empty', [new File([], 'me.png', claimed)], 'me.png is empty.'],
    ['beside another one', [photo, photo], 'Choose only one file.'],
  ])('%s is an error of its field, and the text stays', async (_, sent, message) => {
    const entries = sent.map((file): [string, File] => ['photo', file])
    expect(await run(form(['name', 'Ada'], ...entries))).toEqual({
      isInvalid: true,
      formErrors: [],
      fieldErrors: { photo: [message] },
      values: { name: 'Ada' },
      files: { photo: sent.map(({ name }) => name) },
    })
  })

  test('is reported together with the errors of the schema', async () => {
    expect(await run(form(['photo', new File([html], 'me.png')]))).toMatchObject({
      fieldErrors: {
        name: ['Enter your name.'],
        photo: ['me.png has the wrong type. Allowed types: PNG and JPEG.'],
      },
    })
  })

  test.each([
    [new File([html], 'a.png'), 'Erlaubt sind PNG und JPEG.'],
    [new File([png, 'x'.repeat(100)], 'a.png'), 'a.png ist größer als 100 Byte.'],
    [new File([], 'a.png'), 'a.png is empty.'],
  ])('gets its message in the language of the visitor, or in English', async (file, message) => {
    const locale = createLocale('de', {
      files: { type: 'Erlaubt sind {types}.', tooLarge: '{name} ist größer als {limit}.' },
      sizes: { bytes: '{size} Byte' },
    })
    expect(await run(form(['photo', file]), undefined, locale)).toMatchObject({
      fieldErrors: { photo: [message] },
    })
  })

  test('is refused in an object, too', async () => {
    const values = { name: 'Ada', photo: new File([html], 'me.png', claimed) }
    expect(await run(values)).toMatchObject({
      isInvalid: true,
      fieldErrors: { photo: [expect.stringContaining('wrong')] },
    })
    expect(await run({ name: 'Ada', photo: 'me.png' })).toMatchObject({
      fieldErrors: { photo: ['Choose a photo.'] },
    })
    expect(await run({ name: 'Ada', photo })).toMatchObject({ photo: { name: 'me.png' } })
  })
})

test('a file in any other value never reaches the function', async () => {
  const received: unknown[] = []
  const save = action({ files: { photo: { maxBytes: 100 } } }, (input) => {
    received.push(input)
  })
  const file = new File([html], 'me.png')
  for (const sent of [new Map([['photo', file]]), [file], file, Promise.resolve({ photo: file })]) {
    await run(sent, (input) => save(input as never))
  }
  expect(received).toEqual([{}, {}, {}, {}])
})

test('the limit of the body has room for all files, and for the text', () => {
  const app = { maxBytes: 1_000, timeoutMs: 1_000 }
  expect(limitsOf(save as never, app).maxBytes).toBe(1_000 + 100 + 2 * 50)
})

test.each([
  [{ photo: { maxBytes: 0 } }, 'files.photo.maxBytes'],
  [{ photo: { maxBytes: 1, maxFiles: 0.5 } }, 'files.photo.maxFiles'],
  [{ photo: { maxBytes: 1, types: ['image/svg+xml' as never] } }, 'files.photo.types'],
])('an invalid rule is an error: %j', (rules, option) => {
  expect(() => action({ files: rules }, () => {})).toThrow(option)
})
