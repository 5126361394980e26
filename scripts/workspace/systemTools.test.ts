import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  chromium,
  ensureSystemTools,
  findBrowser,
  findProgram,
  findRedisServer,
  redis,
} from './systemTools.mjs'

let folder = ''
let printed = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-tools-'))
  printed = ''
  vi.stubEnv('WAYMARK_BROWSER', '')
  vi.stubEnv('WAYMARK_REDIS_SERVER', '')
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

/** Creates a program in a folder, and makes this folder the only one in the PATH. */
function addProgram(name: string, script = ':') {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
}

describe('the browser of the tests', () => {
  test('is the one that WAYMARK_BROWSER names, by path or by name', () => {
    vi.stubEnv('WAYMARK_BROWSER', process.execPath)
    expect(findBrowser()).toBe(process.execPath)
    vi.stubEnv('WAYMARK_BROWSER', 'sh')
    expect(findBrowser()).toMatch(/\/sh$/)
  })

  test('is not replaced by another one if the named one does not exist', async () => {
    vi.stubEnv('WAYMARK_BROWSER', '/no/such/browser')
    expect(findBrowser()).toBeNull()
    vi.spyOn(process, 'getuid').mockReturnValue(0)
    await ensureSystemTools([chromium])
    expect(printed).toBe(
      'WAYMARK_BROWSER is /no/such/browser, which is not an executable program.\n',
    )
  })

  test('is otherwise Chromium from the PATH', () => {
    addProgram('chromium')
    vi.stubEnv('PATH', folder)
    expect(findBrowser()).toBe(join(folder, 'chromium'))
  })
})

describe('the Redis of the tests', () => {
  test('is the one that WAYMARK_REDIS_SERVER names, and no other', () => {
    addProgram('redis-server')
    vi.stubEnv('PATH', folder)
    expect(findRedisServer()).toBe(join(folder, 'redis-server'))
    vi.stubEnv('WAYMARK_REDIS_SERVER', '/no/such/valkey')
    expect(findRedisServer()).toBeNull()
    expect(redis.hint()).toContain('WAYMARK_REDIS_SERVER is /no/such/valkey')
  })
})

describe('missing tools', () => {
  test('are programs that are not in the PATH', () => {
    vi.stubEnv('PATH', '')
    expect(findProgram(['sh'])).toBeNull()
  })

  test('have the extension .exe on Windows', () => {
    vi.stubEnv('PATH', folder)
    addProgram('redis-server.exe')
    const file = join(folder, 'redis-server.exe')
    expect(findProgram(['redis-server'], 'win32')).toBe(file)
    expect(findProgram(['redis-server.exe'], 'win32')).toBe(file)
    expect(findProgram(['redis-server'], 'linux')).toBeNull()
  })

  test('are listed with a way to install them if this process may not install', async () => {
    vi.stubEnv('PATH', folder)
    vi.spyOn(process, 'getuid').mockReturnValue(1000)
    addProgram('apt-get', `echo "$@" >> ${folder}/calls`)
    await ensureSystemTools([chromium, redis])
    expect(printed.split('\n')).toHaveLength(3)
    expect(printed).toContain('apt-get install chromium')
    expect(printed).toContain('apt-get install redis-server')
    expect(existsSync(join(folder, 'calls'))).toBe(false)
  })

  test("are installed from Debian's packages if the process runs as root", async () => {
    vi.stubEnv('PATH', folder)
    vi.spyOn(process, 'getuid').mockReturnValue(0)
    addProgram('apt-get', `echo "$@" >> ${folder}/calls`)
    await ensureSystemTools([redis])
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
    expect(calls).toEqual([
      'update --quiet',
      'install --yes --quiet --no-install-recommends redis-server',
    ])
    // The fake apt-get installs nothing, so the output says that Redis is still missing.
    expect(printed).toContain('Redis is missing')
  })

  test('cause no work if everything is installed', async () => {
    addProgram('redis-server')
    vi.stubEnv('PATH', folder)
    await ensureSystemTools([redis])
    expect(printed).toBe('')
  })
})
