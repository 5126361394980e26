/**
 * @typedef {{ name: string, title: string, args: readonly string[], env: Readonly<Record<string, string>> }} Part
 *   `args` are for Node, from the root of the repository
 */

const endToEnd = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'e2e/vitest.config.ts']

/**
 * Lists the parts of the nightly run, in order.
 * @param {number} seed seed for the random requests; a new seed each night finds different faults
 * @returns {readonly Part[]}
 */
export function nightlyParts(seed) {
  return [
    {
      name: 'fuzz',
      title: `Mutated requests, with WAYMARK_FUZZ_SEED=${seed}`,
      args: [...endToEnd, 'fuzz.test'],
      env: { WAYMARK_FUZZ_RUNS: '40000', WAYMARK_FUZZ_SEED: String(seed) },
    },
    {
      name: 'adversary',
      title: 'The adversary, with 2,000,000 requests',
      args: ['e2e/adversary/long.mjs', '--requests', '2000000', '--seed', String(seed)],
      env: {},
    },
    {
      name: 'react',
      title: 'The oldest React, and the newest canary',
      args: ['scripts/react.mjs', '19.2.0', 'canary'],
      env: {},
    },
    {
      name: 'modes',
      title: 'All end-to-end tests, in development and in production',
      args: ['scripts/test.mjs', 'e2e-all'],
      env: {},
    },
    {
      name: 'upstream',
      title: 'Reports for other projects, with the latest versions of their packages',
      args: ['docs/upstream/run.mjs', '--version', 'latest'],
      env: {},
    },
  ]
}

/**
 * Selects parts by name.
 * @param {readonly string[]} names names of parts; an empty list selects all
 * @param {readonly Part[]} parts
 */
export function partsToRun(names, parts) {
  const unknown = names.filter((name) => !parts.some((part) => part.name === name))
  const chosen = names.length > 0 ? parts.filter(({ name }) => names.includes(name)) : parts
  return { parts: chosen, unknown }
}
