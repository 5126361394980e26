import { live } from '@waymark/live/vite'
import { definePackage, type PackagePlugin } from 'waymark/plugin'
import type { WaymarkOptions } from 'waymark/vite'
import { testedFolder } from './testedApp.ts'

/** Options of `testedOptions()`. */
export type TestedOptions = {
  /** Hosts of the deployed app, such as `test.example`. Default: only this machine. */
  readonly hosts?: readonly string[]
}

/** Returns the options of `waymark()` that the test app needs. Add your adapter to them. */
export function testedOptions({ hosts = [] }: TestedOptions = {}): WaymarkOptions {
  return {
    appDir: `${testedFolder}/app`,
    allowMissing: ['sockets', 'streams'],
    security: { allowedHosts: ['127.0.0.1', 'localhost', '*.conformance.example', ...hosts] },
  }
}

/** Vite plugins for the test app and the command `waymark conformance`. */
export function conformance(): PackagePlugin[] {
  const tests = definePackage('@waymark/conformance', () => ({
    commands: {
      conformance: {
        summary: 'Deploy a test app, and check that its host serves it correctly',
        module: new URL('./commands.js', import.meta.url),
      },
    },
  }))
  return [{ ...tests, config: () => ({ publicDir: `${testedFolder}/public` }) }, live()]
}
