import { readdirSync } from 'node:fs'
import path from 'node:path'
import { isClientModule, type SourcePlace } from 'waymark/plugin/dev'
import { positionAt, readSource } from './sources.ts'

/**
 * Finds an async component in a `'use client'` file. React's warning may contain the component's
 * name, but never its file.
 */
export function findAsyncComponent(
  folder: string,
  name: string,
): (SourcePlace & { name: string }) | null {
  const declared = new RegExp(`\\basync function (${name})\\b|\\b(${name}) = async\\b`)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (/^\.|^node_modules$/.test(entry.name)) continue
    if (entry.isDirectory()) {
      const component = findAsyncComponent(file, name)
      if (component) return component
    }
    const text = /\.[jt]sx$/.test(file) ? readSource(file) : null
    const match = text && isClientModule(text) ? declared.exec(text) : null
    if (!match) continue
    return { name: match[1] ?? match[2] ?? '', file, ...positionAt(match.input, match.index) }
  }
  return null
}
