import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { filesBelow } from './scripts/workspace/fingerprint.mjs'

const folders = ['packages', 'scripts', 'e2e/adversary', 'e2e/harness', 'site', 'examples']
// Tests in a template run in the apps that are created from it.
const testFiles = folders
  .flatMap(filesBelow)
  .filter((file) => /\.test\.tsx?$/.test(file) && !/\/templates\/[^/]+\//.test(file))
const hasMocks = (file: string) => readFileSync(file, 'utf8').includes('vi.mock(')
const mocking = testFiles.filter(hasMocks)
const plain = testFiles.filter((file) => !mocking.includes(file))

// The modules of hooks as the plugin of Vite writes them for an app without packages, and a build
// with a secret of its own.
const hookPrefix = 'virtual:waymark/hooks/'
const buildId = 'virtual:waymark/build'
const withoutPackages = {
  name: 'without-packages',
  resolveId: (id: string) => (id.startsWith(hookPrefix) || id === buildId ? `\0${id}` : null),
  load(id: string) {
    if (id === `\0${buildId}`)
      return "export default { secret: 'the secret of the build in unit tests' }"
    const [, hook] = id.split(`\0${hookPrefix}`)
    return hook === undefined ? null : `export const ${hook} = null`
  },
}

// Unit tests, beside the source. The end-to-end tests have a configuration of their own.
export default defineConfig({
  plugins: [withoutPackages],
  test: {
    projects: [
      // To start a process and to load modules takes longer than most files run: these share them.
      { extends: true, test: { name: 'unit', include: plain, isolate: false } },
      // A mock must come before its module is loaded.
      { extends: true, test: { name: 'mocking', include: mocking } },
    ],
    environment: 'node',
    // Servers and pauses: more than half of the time is waiting. By default, one runs on two cores.
    maxWorkers: Math.max(3, availableParallelism()),
    // A test that fails now and then is mended: it waits for a condition, or has a clock of its own.
    retry: 0,
    // Servers and processes that a test starts take their time on a machine that does other work.
    testTimeout: 20_000,
    // The default depends on the CI variable; here a run means the same everywhere.
    allowOnly: false,
  },
})
