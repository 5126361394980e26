import type { Plugin } from 'vite'
import { frameworkError } from '../../shared/errors.ts'
import { frameworkFile } from '../config/frameworkFiles.ts'

const runtimePattern = /plugin-rsc\/(?:dist\/)?utils\/encryption-runtime(?:\.js)?$/

/**
 * Makes inline actions encrypt the values that they close over with the app's keys. plugin-rsc's
 * own runtime has only one key, which each build creates anew.
 */
export function boundArgsPlugin(): Plugin {
  return {
    name: 'waymark:bound-args',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      filter: { id: runtimePattern },
      handler: () => frameworkFile('boundArgs'),
    },
  }
}

const ofReact = /\/(?:@vitejs\/plugin-rsc\/dist|react-server-dom-webpack)\//

/**
 * Refuses a module whose actions would send values that they close over unencrypted, or encrypted
 * with a different key. That would happen if plugin-rsc generated its code in a different form.
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
 * True if each action closes over nothing, or only over values that Waymark's runtime encrypts.
 * Code in an unknown form counts as unencrypted.
 */
export function areSealed(code: string): boolean {
  const all = code.match(registrations)?.length
  if (all !== code.match(safeRegistrations)?.length) return false
  const [, runtime] = runtimeImport.exec(code) ?? []
  return runtime === undefined
    ? !code.includes('.encryptActionBoundArgs(')
    : runtimePattern.test(runtime)
}
