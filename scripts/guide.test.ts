import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type CodeBlock, layIntoApps, listCommands, readCodeBlocks } from './guide/codeBlocks.ts'
import { root } from './workspace/paths.mjs'
import { run } from './workspace/run.mjs'

/** Folder with the files that the guide's code blocks import. */
const appFolder = join(root, 'scripts/guide/app')
const guide = join(root, 'site/app/guide')
const sources = new Map(
  readdirSync(guide, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^[[_]/.test(entry.name))
    .map(({ name }) => [name, readFileSync(join(guide, name, 'page.mdx'), 'utf8')]),
)
const pages = new Map([...sources].map(([page, mdx]) => [page, readCodeBlocks(mdx)]))
const schema = 'export const searchParams'
const isTyped = ({ language }: CodeBlock) => /^(?:tsx?|jsx?|mjs)$/.test(language)

const withJavaScript = {
  extends: './template.json',
  compilerOptions: { allowJs: true, checkJs: true },
  include: ['**/*.ts', '**/*.tsx', '**/*.js', '**/*.jsx', '**/*.mjs'],
}

test('each block of TypeScript or JavaScript names its file', () => {
  const unnamed = [...pages].flatMap(([page, blocks]) =>
    blocks.filter((block) => isTyped(block) && !block.file).map(({ line }) => `${page}:${line}`),
  )
  expect(unnamed).toEqual([])
})

test('each block of TypeScript or JavaScript compiles unchanged in an app of create-waymark', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true }), 60_000)
  await writeApps(folder)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { output } = await run(process.execPath, [tsc, '-p', folder], { cwd: folder, quiet: true })
  expect(output).toBe('')
  // This test takes long, because it compiles all pages in one program while other tests run.
}, 120_000)

test('each block of JSON can be parsed', () => {
  const all = [...pages].flatMap(([page, blocks]) => blocks.map((block) => ({ page, ...block })))
  for (const { page, line, language, code } of all) {
    if (language === 'json') expect(() => JSON.parse(code), `${page}:${line}`).not.toThrow()
  }
})

test('each column of a table has a name', () => {
  for (const [page, mdx] of sources) {
    const heads = mdx.match(/^\|.*(?=\n\|[-:| ]+\|$)/gm) ?? []
    for (const head of heads) expect(head, page).not.toMatch(/\|\s*\|/)
  }
})

test('each option of the plugin and each phase of an error is in its table', () => {
  const read = (file: string) => readFileSync(join(root, 'packages/waymark/src', file), 'utf8')
  const source = read('vite/config/pluginOptions.ts')
  const [, type = ''] = /export type WaymarkOptions = \{\n(.*?)\n\}/s.exec(source) ?? []
  const options = [...type.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name = '']) => name)
  // Leave out `proxy`, which is only for packages that replace an app's proxy.ts, as @waymark/next
  // does.
  const documented = options.filter((name) => name !== 'proxy')
  expect(documented).toContain('appDir')
  expect(documented.filter((name) => !sources.get('cli')?.includes(`\n| \`${name}\` |`))).toEqual(
    [],
  )
  const phases = /^\| `phase` \|.*$/m.exec(sources.get('errors-and-digests') ?? '')?.[0]
  const [, list = ''] = /journalPhases = \[(.*?)\]/s.exec(read('journal/journalEntry.ts')) ?? []
  const phaseNames = [...list.matchAll(/'([\w-]+)'/g)].map(([, name]) => name)
  expect(phaseNames).toContain('document')
  expect(phaseNames.filter((phase) => !phases?.includes(`\`${phase}\``))).toEqual([])
})

test('each environment variable that Waymark reads is in the table', () => {
  const text = sourcesOfPackages()
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const named = new Set(text.match(/\bWAYMARK_[A-Z_]*[A-Z]\b/g))
  // Leave out names that users can't set: the build puts the variables of import.meta.env into the
  // code, one process passes WAYMARK_MODE_OF_BUILD or WAYMARK_CONTRACT_READS to another, and the
  // Cloudflare adapter configures the bindings WAYMARK_CACHE and WAYMARK_STATE.
  const inCode = text.match(/(?<=import\.meta\.env\??\.)WAYMARK_[A-Z_]+/g) ?? []
  const internal = [
    'WAYMARK_MODE_OF_BUILD',
    'WAYMARK_CONTRACT_READS',
    'WAYMARK_CACHE',
    'WAYMARK_STATE',
  ]
  for (const name of [...inCode, ...internal]) named.delete(name)
  expect([...named]).toContain('WAYMARK_SECRET')
  const table = sources.get('environment') ?? ''
  const isListed = (name: string) => new RegExp(`^\\|[^|]*\`${name}\``, 'm').test(table)
  expect([...named].filter((name) => !isListed(name))).toEqual([])
})

// Commands of packages that the site doesn't list. e2e/writtenPackage.test.ts and e2e/hosts.test.ts
// run them.
const otherCommands = ['slowest', 'conformance', 'contract']

test('each command in the guide exists in the CLI, with its options', async () => {
  const calls = [...sources].flatMap(([page, mdx]) => callsIn(page, mdx))
  await expectInHelp(calls)
  // This test takes long, because it starts a process for each command.
}, 120_000)

test('each command in a message of the packages exists in the CLI, with its options', async () => {
  const calls = sourcesOfPackages().flatMap((file) =>
    (readFileSync(file, 'utf8').match(/waymark [a-z]+ --[a-z-]+/g) ?? []).flatMap((text) =>
      callsIn(file, `\`${text}\``),
    ),
  )
  expect(calls).not.toEqual([])
  await expectInHelp(calls)
}, 120_000)

function sourcesOfPackages(): string[] {
  const folders = readdirSync(join(root, 'packages')).map((name) =>
    join(root, 'packages', name, 'src'),
  )
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  )
}

type Call = ReturnType<typeof callsIn>[number]

function callsIn(place: string, text: string) {
  return listCommands(text).map((call) => ({ place, ...call }))
}

async function expectInHelp(all: readonly Call[]): Promise<void> {
  const calls = all.filter(({ command }) => !otherCommands.includes(command))
  const help = await waymark('--help')
  const commands = [...help.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name = '']) => name)
  expect(calls.filter(({ command }) => !commands.includes(command))).toEqual([])
  for (const command of commands) {
    const commandCalls = calls.filter((call) => call.command === command)
    const commandHelp = commandCalls.length > 0 ? await waymark(command, '--help') : ''
    const isOption = (name: string) => new RegExp(`--${name}\\b(?!-)`).test(commandHelp)
    expect(commandCalls.filter(({ options }) => !options.every(isOption))).toEqual([])
  }
}

/**
 * Writes the apps of all pages into one folder, as one program. Each app also gets the files that
 * the guide assumes. The route types are generated for one app with the routes of all pages,
 * because type declarations apply to the whole program.
 */
async function writeApps(folder: string): Promise<void> {
  const all = new Map<string, string>()
  for (const [page, blocks] of pages) {
    for (const [index, files] of layIntoApps(blocks).entries()) {
      writeApp(join(folder, page, String(index)), files)
      for (const [file, code] of files) {
        const isOurs = existsSync(join(appFolder, file))
        // Leave out a language segment at the root, because every path would match its route, so no
        // link would be wrong.
        if (file.startsWith('app/[locale]/')) continue
        if (!isOurs && !all.get(file)?.includes(schema)) all.set(file, code)
      }
    }
  }
  writeApp(folder, all)
  const template = join(root, 'packages/create-waymark/templates/minimal/tsconfig.json')
  copyFileSync(template, join(folder, 'template.json'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(withJavaScript))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  await waymark('types', folder)
}

function writeApp(folder: string, files: ReadonlyMap<string, string>): void {
  cpSync(appFolder, folder, { recursive: true })
  for (const [file, code] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), code)
  }
}

async function waymark(...args: readonly string[]): Promise<string> {
  const bin = join(root, 'packages/waymark/bin/waymark.js')
  const { exitCode, output } = await run(process.execPath, [bin, ...args], {
    // Use the site's configuration, because it lists all packages that have commands.
    cwd: join(root, 'site'),
    quiet: true,
  })
  expect(exitCode, output).toBe(0)
  return output
}
