import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run } from './runCommand.ts'

test.each(['drill', 'images', 'arrivals'])(
  'waymark %s says which package is missing',
  async (command) => {
    const name = command === 'arrivals' ? '@waymark/arrivals' : '@waymark/testing'
    const app = mkdtempSync(join(tmpdir(), 'waymark-bare-'))
    onTestFinished(() => rmSync(app, { recursive: true }))
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
