import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { run } from './runCommand.ts'

/** Files of an app that lists a package with a command. The command returns an exit code. */
function appWith(command: string, exitCode: number): Readonly<Record<string, string>> {
  return {
    'package.json': '{ "type": "module" }',
    'vite.config.js': `const plugin = {
      name: 'a-package',
      api: {
        waymarkPackage: () => ({
          commands: { ${command}: { summary: 'Test', module: new URL('./command.js', import.meta.url) } },
        }),
      },
    }
    export default { plugins: [plugin] }
    `,
    'command.js': `export const ${command} = {
      details: 'Ends.', operands: '[target] [folder]', options: {}, mode: 'production', run: async () => ${exitCode},
    }
    `,
  }
}

test.each([
  { command: 'drill', name: '@waymark/testing' },
  { command: 'replay', name: '@waymark/replay' },
  { command: 'arrivals', name: '@waymark/arrivals' },
])(
  'waymark $command says which package to install and how to list it',
  async ({ command, name }) => {
    const app = temporaryFolder()
    callIn(app)
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => write.mockRestore())
    const exitCode = await run([command, app])
    const printed = write.mock.calls.map(([text]) => String(text)).join('')
    expect(exitCode).toBe(2)
    expect(printed).toContain(`waymark ${command} comes from ${name}`)
    expect(printed).toContain(`Run npm install ${name}, and add to vite.config.ts: import {`)
  },
)

test('finds a command of a package in the working directory first, then in the folder among the arguments', async () => {
  const here = temporaryFolder(appWith('check', 7))
  const there = temporaryFolder(appWith('check', 8))
  expect(await run(['check', there])).toBe(8)
  callIn(here)
  expect(await run(['check'])).toBe(7)
  // A folder without a configuration, such as a deployed build, doesn't list packages, so the command
  // comes from the working directory.
  expect(await run(['check', temporaryFolder()])).toBe(7)
})

test('a command gets the options of its package, converted to JSON and back', async () => {
  const files = appWith('check', 0)
  const app = temporaryFolder({
    ...files,
    'vite.config.js':
      files['vite.config.js']?.replace(
        'commands:',
        'options: { exitCode: 9, left: undefined }, commands:',
      ) ?? '',
    'command.js': `export const check = {
      details: 'Ends.', options: {}, mode: 'production',
      run: async ({ packageOptions }) => 'left' in packageOptions ? 1 : packageOptions.exitCode,
    }
    `,
  })
  callIn(app)
  expect(await run(['check'])).toBe(9)
})

test('assets push runs no code from its target folder', async () => {
  const target = temporaryFolder(appWith('assets', 90))
  const app = temporaryFolder(appWith('assets', 7))
  expect(await run(['assets', 'push', target, app])).toBe(7)
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  callIn(temporaryFolder())
  expect(await run(['assets', 'push', target])).toBe(2)
  callIn(app)
  expect(await run(['assets', 'push', target])).toBe(7)
})

const brokenConfigs = {
  throws: "throw new Error('RATES is not set')\n",
  'has a syntax error': 'export default {\n',
  'imports a missing package': "import 'no-such-package'\nexport default {}\n",
}

test.each(
  Object.entries(brokenConfigs).flatMap(([name, config]) => [
    { name, config, argv: ['--help'], exitCode: 0 },
    { name, config, argv: ['help'], exitCode: 0 },
    { name, config, argv: ['build', '--help'], exitCode: 0 },
    { name, config, argv: ['drill', '--help'], exitCode: 1 },
    { name, config, argv: ['help', 'drill'], exitCode: 1 },
  ]),
)('waymark $argv prints help when the configuration $name', async ({ config, argv, exitCode }) => {
  callIn(temporaryFolder({ 'package.json': '{ "type": "module" }', 'vite.config.js': config }))
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    const write = vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text)
      return true
    })
    onTestFinished(() => write.mockRestore())
  }
  expect(await run(argv)).toBe(exitCode)
  expect(printed.stdout).toMatch(/^Usage: waymark /)
  const failures = printed.stderr.match(
    /^The Vite configuration failed to load, so package commands aren't listed: .+$/gm,
  )
  expect(failures).toEqual(argv.includes('build') ? null : [expect.any(String)])
})

test('a command fails with the error of a broken configuration', async () => {
  callIn(
    temporaryFolder({
      'package.json': '{ "type": "module" }',
      'vite.config.js': brokenConfigs.throws,
    }),
  )
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  expect(await run(['drill'])).toBe(1)
  expect(write.mock.calls.join('')).toContain('RATES is not set')
})

function callIn(folder: string): void {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => cwd.mockRestore())
}
