import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { parseCommandLine } from '../../../waymark/src/cli/arguments.ts'
import { createTerminal } from '../../../waymark/src/cli/terminal.ts'
import { temporaryFolder } from '../../../waymark/src/shared/testing/temporaryFolder.ts'
import { assets } from './assetsCommand.ts'

async function run(...args: string[]) {
  const line = parseCommandLine(['assets', ...args], assets)
  if (line.kind !== 'run') throw new Error(`That is ${line.kind}.`)
  const stdout = new PassThrough({ encoding: 'utf8' })
  const stderr = new PassThrough({ encoding: 'utf8' })
  const terminal = createTerminal({ stdout, stderr })
  const code = await assets.run({ options: line.options, terminal, packageOptions: {} })
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') }
}

/** Creates an app with two builds that share a file. */
function builtApp(): string {
  const builds = [
    ['a-1.js', 'b-2.css'],
    ['a-1.js', 'c-3.js'],
  ].map((files) => ({ files }))
  return temporaryFolder({
    '.waymark/assets.json': JSON.stringify({ builds }),
    '.waymark/client/_waymark/assets/a-1.js': 'code',
    '.waymark/client/_waymark/assets/b-2.css': 'style',
    '.waymark/client/_waymark/assets/c-3.js': 'old',
  })
}

test.each([
  [[], 'The folder or bucket for the assets is missing.'],
  [['push'], 'The folder or bucket for the assets is missing.'],
  [['push', ''], 'The folder or bucket for the assets is missing.'],
  [['pull', '/srv'], 'waymark assets has no task pull.'],
  [['push', 'ftp://host/assets'], 'ftp://host/assets is not a folder or bucket.'],
  [['push', '/srv', 'app', 'more'], 'Unexpected more.'],
])('waymark assets %j is refused', async (args, message) => {
  const hint = 'Write: waymark assets push /srv/assets, or waymark assets push s3://bucket/prefix'
  expect(await run(...args)).toEqual({ code: 2, out: '', err: `${message}\n${hint}\n` })
})

test('the assets of each build are pushed once', async () => {
  const target = temporaryFolder()
  const app = builtApp()
  const dry = await run('push', target, app, '--dry-run')
  expect(dry).toEqual({
    code: 0,
    err: '',
    out: 'To push: 3 files, 0.0 kB\nAlready there: 0 files, 0.0 kB\n',
  })
  expect(readdirSync(target)).toEqual([])
  const { out } = await run('push', target, app, '--json')
  expect(JSON.parse(out)).toEqual({
    dryRun: false,
    pushed: { count: 3, bytes: 12 },
    present: { count: 0, bytes: 0 },
  })
  expect(existsSync(join(target, '_waymark/assets/c-3.js'))).toBe(true)
})

test('an app that was not built has nothing to push', async () => {
  await expect(run('push', temporaryFolder(), temporaryFolder())).rejects.toThrow('NO_BUILD')
})

test('a bucket needs the package @waymark/s3', async () => {
  await expect(run('push', 's3://bucket', builtApp())).rejects.toThrow(
    'waymark assets push s3://… needs the package @waymark/s3, which is not installed.',
  )
})
