import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from './run.ts'
import { createFakeHost } from './testing/fakeHost.ts'
import { namesBelow, temporaryFolder } from './testing/temporaryFolder.ts'

const filesOnly = ['--no-install', '--no-git']
const has = (cwd: string, file: string) => existsSync(join(cwd, file))

/** Creates a folder with a program, for the PATH. */
function programFolder(name: string, script: string): string {
  const folder = temporaryFolder({ [name]: `#!/bin/sh\n${script}\n` })
  chmodSync(join(folder, name), 0o755)
  return folder
}

describe('without a terminal', () => {
  test('an app is created, and the next steps are printed', async () => {
    const host = createFakeHost({ cwd: temporaryFolder() })
    expect(await run(['shop', '-t', 'tailwind', ...filesOnly], host)).toBe(0)
    expect(host.printed()).toBe(
      [
        'Creating shop from the template tailwind.',
        '',
        '  cd shop',
        '  npm install',
        '  npm run dev',
        '',
        'Start with app/page.tsx.',
        '',
      ].join('\n'),
    )
    expect(has(host.cwd, 'shop/vite.config.ts')).toBe(true)
    expect(has(host.cwd, 'shop/.gitignore')).toBe(true)
  })

  test('an app is created in the working folder if the folder is empty', async () => {
    const host = createFakeHost({ cwd: temporaryFolder() })
    expect(await run(['.', ...filesOnly], host)).toBe(0)
    expect(has(host.cwd, 'app/page.tsx')).toBe(true)
    expect(host.printed()).not.toMatch(/^ *cd /m)
  })

  test('no question is asked, and a missing folder is an error', async () => {
    const host = createFakeHost({ cwd: temporaryFolder() })
    expect(await run(filesOnly, host)).toBe(2)
    expect(host.failed()).toContain('Run npm create waymark@latest my-app.')
  })

  test('--yes takes the defaults', async () => {
    const host = createFakeHost({ cwd: temporaryFolder() })
    expect(await run(['--yes', ...filesOnly], host)).toBe(0)
    expect(has(host.cwd, 'my-app/app/page.tsx')).toBe(true)
  })
})

describe('refused and failed runs', () => {
  test('a folder that is not empty is refused and left alone', async () => {
    const host = createFakeHost({ cwd: temporaryFolder({ 'shop/a.txt': '' }) })
    expect(await run(['shop', ...filesOnly], host)).toBe(2)
    expect(host.failed()).toBe(
      'shop is not empty: it contains a.txt.\nChoose another name, or empty the folder first.\n',
    )
    expect(namesBelow(host.cwd)).toEqual(['shop', 'shop/a.txt'])
  })

  test('a name that npm refuses is refused', async () => {
    const host = createFakeHost({ cwd: temporaryFolder() })
    expect(await run(['My Shop', ...filesOnly], host)).toBe(2)
    expect(host.failed()).toContain('Try my-shop.')
  })

  test('after a failed install the app is complete, and the output says how to continue', async () => {
    const PATH = `${programFolder('npm', 'echo no network; exit 1')}:${process.env.PATH}`
    const host = createFakeHost({ cwd: temporaryFolder(), env: { PATH } })
    expect(await run(['shop', '--no-git'], host)).toBe(1)
    expect(host.printed()).toContain('no network')
    expect(host.failed()).toContain(`Run npm install in ${join(host.cwd, 'shop')}`)
    expect(has(host.cwd, 'shop/package.json')).toBe(true)
  })

  test('a missing package manager is named', async () => {
    const env = { PATH: '/nowhere', npm_config_user_agent: 'pnpm/10.2.0 node/v22' }
    const host = createFakeHost({ cwd: temporaryFolder(), env })
    expect(await run(['shop'], host)).toBe(1)
    expect(host.failed()).toContain('pnpm could not be started.')
  })

  test('a stop while files are written leaves no files', async () => {
    const host = createFakeHost({ cwd: temporaryFolder() })
    host.stop()
    expect(await run(['sites/shop', ...filesOnly], host)).toBe(130)
    expect(namesBelow(host.cwd)).toEqual([])
  })

  test('a stop during the install ends the install', async () => {
    const PATH = `${programFolder('npm', 'exec sleep 60')}:${process.env.PATH}`
    const host = createFakeHost({ cwd: temporaryFolder(), env: { PATH } })
    const exitCode = run(['shop', '--no-git'], host)
    await expect.poll(() => host.printed()).toContain('Installing')
    host.stop()
    expect(await exitCode).toBe(130)
    expect(host.failed()).toContain('Run npm install')
  })
})

describe('in a terminal', () => {
  test('it asks for missing options, and asks again after a wrong answer', async () => {
    const host = createFakeHost({ cwd: temporaryFolder({ 'full/a': '' }), terminal: true })
    host.answer('Folder for the app', 'full\r')
    host.answer('Folder for the app', 'shop\r')
    host.answer('Choose a template', 'vue\r')
    host.answer('Choose a template', '2\r')
    expect(await run(filesOnly, host)).toBe(0)
    expect(host.printed()).toContain('full is not empty: it contains a.')
    expect(host.printed()).toContain('Enter a number from 1 to 3, or a name.')
    expect(readFileSync(join(host.cwd, 'shop/package.json'), 'utf8')).toContain('tailwindcss')
  })

  test.each([
    ['down', '\x1b[B', 'minimal'],
    ['down, down', '\x1b[B\x1b[B', 'tailwind'],
    ['up', '\x1b[A', 'languages'],
  ])('a template is chosen by arrow keys: %s', async (_keys, typed, template) => {
    const host = createFakeHost({ cwd: temporaryFolder(), terminal: true })
    host.answer('Folder for the app', 'shop\r')
    host.answer('Choose a template', `${typed}\r`)
    expect(await run(filesOnly, host)).toBe(0)
    expect(host.printed()).toContain(`Creating shop from the template ${template}.`)
  })

  test('an empty answer selects the default', async () => {
    const host = createFakeHost({ cwd: temporaryFolder(), terminal: true })
    host.answer('Folder for the app', '\r')
    host.answer('Choose a template', '\r')
    expect(await run(filesOnly, host)).toBe(0)
    expect(has(host.cwd, 'my-app/app/page.module.css')).toBe(true)
  })

  test('it skips questions that the options answer', async () => {
    const host = createFakeHost({ cwd: temporaryFolder(), terminal: true })
    expect(await run(['shop', '-t', 'minimal', ...filesOnly], host)).toBe(0)
    expect(host.printed()).not.toContain('Choose a template')
  })

  test.each([
    ['Ctrl+C', '\x03'],
    ['Ctrl+D', '\x04'],
  ])('%s leaves, with nothing written', async (_key, typed) => {
    const host = createFakeHost({ cwd: temporaryFolder(), terminal: true })
    host.answer('Folder for the app', typed)
    expect(await run([], host)).toBe(130)
    expect(namesBelow(host.cwd)).toEqual([])
  })

  test('colours are printed in terminals only, and not with NO_COLOR', async () => {
    const printed = async (terminal: boolean, env = {}) => {
      const host = createFakeHost({ cwd: temporaryFolder(), terminal, env })
      await run(['shop', '-t', 'minimal', ...filesOnly], host)
      return host.printed()
    }
    expect(await printed(true)).toContain('\x1b[1mcd shop')
    expect(await printed(true, { NO_COLOR: '1' })).not.toContain('\x1b')
    expect(await printed(false)).not.toContain('\x1b')
  })
})

describe('a Git repository', () => {
  // Make Git ignore any repository that contains the temporary folder.
  const env = { GIT_CEILING_DIRECTORIES: tmpdir() }

  test('is created', async () => {
    const host = createFakeHost({ cwd: temporaryFolder(), env })
    await run(['shop', '--no-install'], host)
    expect(has(host.cwd, 'shop/.git/HEAD')).toBe(true)
  })

  test('is not created inside another one', async () => {
    const host = createFakeHost({ cwd: temporaryFolder(), env })
    await run(['around', '--no-install'], host)
    await run(['around/shop', '--no-install'], host)
    expect(has(host.cwd, 'around/.git')).toBe(true)
    expect(has(host.cwd, 'around/shop/.git')).toBe(false)
  })
})

test('--help and --version print their text', async () => {
  const host = createFakeHost({ cwd: temporaryFolder() })
  expect(await run(['--help'], host)).toBe(0)
  expect(await run(['--version'], host)).toBe(0)
  expect(host.printed()).toContain('--template <name>')
  expect(host.printed()).toMatch(/^\d+\.\d+\.\d+$/m)
})
