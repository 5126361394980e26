import type { Plugin } from 'vite'
import { frameworkError } from '../../shared/errors.ts'
import { ownFile, ownFilePattern, reactServerDom } from '../config/ownFiles.ts'
import type { PatchReport } from './patchedReact.ts'
import { sharedModules } from './textPatches.ts'

const encoderQuery = '?waymark-encoder'

/**
 * Bundles React's client runtime twice for browsers, once for its encoder alone, which only calls of
 * actions need: a bundler does not split a CommonJS module. Both have one table of server references.
 * @see docs/decisions/client-code.md
 */
export function replyEncoderPlugin(report: PatchReport): Plugin {
  return {
    name: 'waymark:reply-encoder',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      order: 'pre',
      filter: { id: /^virtual:waymark\/|^@vitejs\/plugin-rsc\/react\/browser$/ },
      async handler(source, importer) {
        if (source in sharedModules) return `\0${source}`
        if (!ownFilePattern('callEncoding').test(importer ?? '')) return null
        if (report.stateOf('action-encoder') !== 'applied') return null
        const runtime = await this.resolve(`${reactServerDom}/client.browser`, importer)
        const file = 'cjs/react-server-dom-webpack-client.browser.production.js'
        const resolved = runtime?.id.replace(/client\.browser\.js$/, file)
        return resolved ? resolved + encoderQuery : null
      },
    },
    load: {
      filter: { id: /^\0virtual:waymark\// },
      handler: (id) => sharedModules[id.slice(1)] ?? null,
    },
  }
}

/**
 * Replaces modules of plugin-rsc and Vite by shorter ones in browsers.
 * @see docs/decisions/client-code.md
 */
export function shorterModulesPlugin(report: PatchReport): Plugin {
  const preloadHelper = `export { preload as __vitePreload } from ${JSON.stringify(ownFile('preload'))}`
  const replaced = ['preload-helper', 'browser-runtime'] as const
  return {
    name: 'waymark:shorter-modules',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: {
        id: [
          /^\0vite\/preload-helper/,
          /\/@vitejs\/plugin-rsc\/dist\/(?:react|core)\/browser\.js$/,
        ],
      },
      handler(id) {
        if (!report.isOn()) return null
        const isHelper = id.startsWith('\0')
        report.record(isHelper ? 'preload-helper' : 'browser-runtime', 'applied')
        return isHelper ? preloadHelper : `export * from ${JSON.stringify(ownFile('reactBrowser'))}`
      },
    },
    generateBundle() {
      if (!this.environment.config.build.write) return
      for (const id of replaced) {
        const state = report.isOn() ? 'not possible' : 'off'
        if (!report.stateOf(id)) report.record(id, state, 'there is no such module')
      }
    },
  }
}

const runtimePattern = /plugin-rsc\/(?:dist\/)?utils\/encryption-runtime(?:\.js)?$/

/**
 * Encrypts what inline actions close over with the app's keys: plugin-rsc's runtime has one key, which
 * every build creates.
 */
export function boundArgsPlugin(): Plugin {
  return {
    name: 'waymark:bound-args',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      filter: { id: runtimePattern },
      handler: () => ownFile('boundArgs'),
    },
  }
}

const ofReact = /\/(?:@vitejs\/plugin-rsc\/dist|react-server-dom-webpack)\//

/**
 * Refuses a module in which the values that an action closes over would leave the server unencrypted, or
 * by another key: then plugin-rsc has written code of another form.
 */
export function sealedActionsPlugin(): Plugin {
  return {
    name: 'waymark:sealed-actions',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'rsc',
    transform: {
      filter: { id: { exclude: ofReact }, code: /\bregisterServerReference\(/ },
      handler(code, id) {
        if (!areSealed(code)) throw frameworkError('ACTIONS_NOT_SEALED', { file: id })
      },
    },
  }
}

const registrations = /\bregisterServerReference\(/g
const safeRegistrations =
  /\bregisterServerReference\([\w$]+, "[^"]*", "[^"]*"\)(?:\.bind\(null, __vite_rsc_encryption_runtime\.encryptActionBoundArgs\(|(?!\s*[.[(]))/g
const runtimeImport = /import \* as __vite_rsc_encryption_runtime from "([^"]*)"/

/**
 * True when each action closes over nothing, or over values that Waymark's runtime encrypts. Code of
 * another form counts as not encrypted.
 */
export function areSealed(code: string): boolean {
  const all = code.match(registrations)?.length
  if (all !== code.match(safeRegistrations)?.length) return false
  const [, runtime] = runtimeImport.exec(code) ?? []
  return runtime === undefined
    ? !code.includes('.encryptActionBoundArgs(')
    : runtimePattern.test(runtime)
}
