import type { PluginOption } from 'vite'
import { definePackage } from 'waymark/plugin'
import { selectAdaptations } from './adaptations.ts'
import { adaptedReactPlugin } from './adaptedReact.ts'
import { encoderPlugin } from './encoder/encoderPlugin.ts'
import type { SpeedupsOptions } from './options.ts'

/**
 * Vite plugin of `@waymark/speedups`, which adapts React's files in builds. If an adaptation doesn't fit the
 * installed version of React, the build skips it and prints one line.
 */
export function speedups({
  rows = true,
  lifetime = true,
  html = true,
  encoder = true,
}: SpeedupsOptions = {}): PluginOption[] {
  const adaptations = selectAdaptations({ rows, lifetime, html, encoder })
  const fitting = new Set<string>()
  return [
    definePackage('@waymark/speedups', ({ command }) => {
      if (command !== 'build' || !html) return {}
      const module = new URL('./rendering/documentRenderer.js', import.meta.url)
      return { documentRenderer: { module, name: 'renderToPipeableStream' } }
    }),
    adaptedReactPlugin(adaptations, fitting),
    encoderPlugin(fitting),
  ]
}
