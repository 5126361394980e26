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

// Replaces the modules that the Vite plugin generates: the hooks of an app without packages, and the
// secret of a build.
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

// Configuration of the unit tests. The end-to-end tests have their own.
export default defineConfig({
  plugins: [withoutPackages],
  test: {
    projects: [
      // Share one process and its loaded modules among the files, because loading them anew for each
      // file would take longer than most files run.
      { extends: true, test: { name: 'unit', include: plain, isolate: false } },
      // Isolate files with mocks, because a mock has no effect on a module that is already loaded.
      { extends: true, test: { name: 'mocking', include: mocking } },
    ],
    environment: 'node',
    // Use more workers than the default, which is one on two cores. Tests start servers and wait for
    // them, so more than half of their time is idle.
    maxWorkers: Math.max(3, availableParallelism()),
    // Never retry: fix unreliable tests by waiting for a condition or passing in a clock.
    retry: 0,
    // Allow for slow servers and processes on a busy machine.
    testTimeout: 20_000,
    // Set this option, because its default depends on the variable `CI`.
    allowOnly: false,
  },
})
