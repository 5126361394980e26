import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLogger, resolveConfig } from 'vite'
import { expect, test } from 'vitest'
import { selectAdaptations } from './adaptations.ts'
import { adaptedReactPlugin } from './adaptedReact.ts'

const all = selectAdaptations({ rows: true, lifetime: true, html: true, encoder: true })

test('a configuration that is resolved again starts from the files of its own root', async () => {
  const fitting = new Set<string>()
  const plugin = adaptedReactPlugin(all, fitting)
  const resolve = async (root: string) => {
    const warnings: string[] = []
    const customLogger = { ...createLogger(), warn: (text: string) => void warnings.push(text) }
    await resolveConfig({ root, configFile: false, plugins: [plugin], customLogger }, 'build')
    return { fitting: [...fitting], warnings }
  }
  const names = all.map(({ name }) => name)
  expect(await resolve(import.meta.dirname)).toEqual({ fitting: names, warnings: [] })
  expect(await resolve(import.meta.dirname)).toEqual({ fitting: names, warnings: [] })

  const withoutReact = await resolve(mkdtempSync(path.join(tmpdir(), 'waymark-no-react-')))
  expect(withoutReact.fitting).toEqual([])
  expect(withoutReact.warnings).toHaveLength(all.length)
})
