import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { workspacePackages } from './architecture/packages.ts'
import { compareTexts, type Texts } from './translations.ts'
import { root } from './workspace/paths.mjs'

type Tables = Readonly<Record<string, Texts>>

/** Loads a source file, because no entry exports the English texts. */
const load = (path: string) => import(join(root, 'packages', path))

const core: Tables = await load('i18n/src/texts.ts')

/** The texts of the core and of each package, by name, then by language. */
const allTexts: Readonly<Record<string, Tables>> = {
  core: { ...core, en: await englishTexts() },
  ...Object.fromEntries(await packageTables()),
}

const languages = Object.keys(core)

async function englishTexts(): Promise<Texts> {
  const screens = 'waymark/src/screens'
  const { englishScreens, englishNotices } = await load(`${screens}/english.ts`)
  const { englishActions } = await load(`${screens}/englishActions.ts`)
  const { englishFiles } = await load(`${screens}/englishFiles.ts`)
  const { englishTheme } = await load(`${screens}/englishTheme.ts`)
  const { englishStatus } = await load(`${screens}/englishStatuses.ts`)
  const { statuses } = await load('waymark/src/http/statuses.ts')
  const http = Object.keys(statuses)
    .filter((status) => englishStatus(Number(status)))
    .map((status) => [status, englishStatus(Number(status))])
  return {
    ...englishScreens,
    notices: englishNotices,
    actions: englishActions,
    files: englishFiles,
    theme: englishTheme,
    http: Object.fromEntries(http),
  }
}

/** Reads the texts of the packages whose Vite plugin has the part `texts`. */
async function packageTables(): Promise<readonly [name: string, tables: Tables][]> {
  const tables: [string, Tables][] = []
  for (const name of Object.keys(workspacePackages)) {
    const file = textsModule(name)
    if (file) tables.push([name, (await import(file)).texts])
  }
  return tables
}

function textsModule(name: string): string | null {
  const folder = join(root, 'packages', name, 'src')
  try {
    const source = readFileSync(join(folder, 'vite.ts'), 'utf8')
    const path = /texts: \{ module: new URL\('(.*?)\.js'/.exec(source)?.[1]
    return path === undefined ? null : join(folder, `${path}.ts`)
  } catch {
    // The package has no Vite plugin, so it has no texts.
    return null
  }
}

/** English texts that other languages may have, too. */
const sharedTexts = [
  'OK',
  'System',
  '{status}: {heading}',
  '{size} bytes',
  '{size} kB',
  '{size} MB',
]

const isSame = (text: string) => sharedTexts.includes(text)

test('packages with texts are found', () => {
  expect(Object.keys(allTexts)).toEqual(expect.arrayContaining(['core', 'live', 'offline']))
})

describe.each(Object.keys(allTexts))('the texts of %s', (name) => {
  test.each(languages)('are complete in %s', (language) => {
    const { en = {}, [language]: translation = {} } = allTexts[name] ?? {}
    expect(compareTexts(en, translation, isSame)).toEqual({
      missing: [],
      unknown: [],
      untranslated: [],
      placeholders: [],
    })
  })
})

describe('compareTexts', () => {
  const english = { title: 'Saved {count} notes', group: { close: 'Close', ok: 'OK' } }
  const compare = (translation: Texts) =>
    compareTexts(english, translation, (text) => text === 'OK')

  test('names texts that are missing, empty or unknown', () => {
    expect(compare({ group: { close: '', ok: 'OK' }, old: 'Alt' })).toMatchObject({
      missing: ['title', 'group.close'],
      unknown: ['old'],
    })
  })

  test('names texts that are still English, and texts that lack a placeholder', () => {
    expect(compare({ title: 'Gespeichert', group: { close: 'Close', ok: 'OK' } })).toEqual({
      missing: [],
      unknown: [],
      untranslated: ['group.close'],
      placeholders: ['title'],
    })
  })
})
