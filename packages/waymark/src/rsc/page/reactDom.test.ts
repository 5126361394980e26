import { execFileSync } from 'node:child_process'
import * as reactDom from 'react-dom'
import { expect, test } from 'vitest'
import * as serverReactDom from './reactDom.ts'

/** The names that `react-dom` exports to server components. */
function serverExports(): string[] {
  const script = "JSON.stringify(Object.keys(require('react-dom')))"
  const args = ['--conditions', 'react-server', '-p', script]
  const names: string[] = JSON.parse(
    execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' }),
  )
  return names.filter((name) => !name.startsWith('__')).sort()
}

test('exports everything that React exports to server components, with each function guarded', () => {
  const { default: namespace, ...named } = serverReactDom
  expect(Object.keys(named).sort()).toEqual(serverExports())
  expect(namespace).toEqual(named)
  for (const [name, wrapped] of Object.entries(named)) {
    const original = (reactDom as unknown as Record<string, unknown>)[name]
    if (typeof original === 'function') expect(wrapped).not.toBe(original)
  }
})
