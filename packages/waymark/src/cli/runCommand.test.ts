import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { run } from './runCommand.ts'

test.each(['drill', 'images', 'arrivals'])(
  'waymark %s says which package is missing',
  async (command) => {
    const name = command === 'arrivals' ? '@waymark/arrivals' : '@waymark/testing'
    const app = temporaryFolder()
    callIn(app)
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => write.mockRestore())
    const exitCode = await run([command, app])
    const printed = write.mock.calls.map(([text]) => String(text)).join('')
    expect([exitCode, printed]).toEqual([
      1,
      expect.stringContaining(
        `waymark ${command} needs the package ${name}, which is not installed. Run npm install ${name}.`,
      ),
    ])
  },
)

test('the target of assets push is not where its package is loaded from', async () => {
  const name = '@waymark/operations'
  const folder = `node_modules/${name}`
  const exports = { './internal/commands': './commands.js' }
  const operations = (exitCode: number) => ({
    [`${folder}/package.json`]: JSON.stringify({ name, type: 'module', exports }),
    [`${folder}/commands.js`]: `export const assets = {
      details: '', operands: 'push <target> [folder]', options: {}, mode: '', run: async () => ${exitCode},
    }`,
  })
  const target = temporaryFolder(operations(90))
  const app = temporaryFolder(operations(7))
  expect(await run(['assets', 'push', target, app])).toBe(7)
  callIn(app)
  expect(await run(['assets', 'push', target])).toBe(7)
})

test('a deployed build, which has no packages, is read by those of the working directory', async () => {
  const name = '@waymark/arrivals'
  const folder = `node_modules/${name}`
  const exports = { './internal/commands': './commands.js' }
  callIn(
    temporaryFolder({
      [`${folder}/package.json`]: JSON.stringify({ name, type: 'module', exports }),
      [`${folder}/commands.js`]: `export const arrivals = {
        details: '', options: {}, mode: '', run: async ({ options }) => (options.folder ? 7 : 90),
      }`,
    }),
  )
  expect(await run(['arrivals', temporaryFolder()])).toBe(7)
})

function callIn(folder: string): void {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => cwd.mockRestore())
}
