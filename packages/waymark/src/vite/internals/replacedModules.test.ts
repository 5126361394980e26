import { describe, expect, test } from 'vitest'
import { areSealed } from './replacedModules.ts'

const runtime = '/app/node_modules/@vitejs/plugin-rsc/dist/utils/encryption-runtime.js'
const imported = `import * as __vite_rsc_encryption_runtime from "${runtime}";\n`
const registered = '$$ReactServer.registerServerReference($$hoist_0_save, "k", "$$hoist_0_save")'
const sealed = '__vite_rsc_encryption_runtime.encryptActionBoundArgs([id], "k#$$hoist_0_save")'

describe('values that an action closes over count as encrypted', () => {
  test.each([
    [
      "when Waymark's runtime encrypts them",
      `${imported}const save = ${registered}.bind(null, ${sealed})`,
    ],
    ['when it closes over nothing', `const save = ${registered};\nexport { save }`],
    ['when an app binds arguments by itself', `const save = ${registered}; save.bind(null, id)`],
  ])('%s', (_, code) => expect(areSealed(code)).toBe(true))

  test.each([
    ['when values are bound as they are', `const save = ${registered}.bind(null, id)`],
    [
      'when another function encrypts',
      `${imported}const save = ${registered}.bind(null, seal([id]))`,
    ],
    [
      'when they are bound in another way',
      `${imported}const save = ${registered}.with([${sealed}])`,
    ],
    [
      'when they are registered with the action',
      'const save = $$ReactServer.registerServerReference($$hoist_0_save, "k", "save", [id])',
    ],
    [
      'when the runtime is another module',
      `${imported.replace('utils/encryption-runtime', 'core/seal')}const save = ${registered}.bind(null, ${sealed})`,
    ],
  ])('not %s', (_, code) => expect(areSealed(code)).toBe(false))
})
