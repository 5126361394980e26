// Usage: node scripts/suites/repositories.mjs [--only <name>] [--sources <folder>] [--into <folder>]
// Public applications as they lie in their repositories: moved, built and served in production, then
// every link is followed. `--sources` is a folder of clones, `<name>.git`, in place of the network.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { say } from '../workspace/run.mjs'
import { freePort, whileServed } from './clickThrough.mjs'
import { followLinks } from './followLinks.mjs'
import { whilePostgresRuns } from './postgres.mjs'
import { repositories } from './repositoryList.mjs'
import { edit, layOut, must, report } from './suite.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    sources: { type: 'string' },
    into: { type: 'string', default: '/tmp/waymark-suites/repositories' },
  },
})

for (const each of repositories) {
  const name = each.repository.replace(/^.*\//, '')
  if (values.only !== undefined && values.only !== name) continue
  try {
    if (each.hasDatabase) {
      const place = { folder: path.join(values.into, `${name}-postgres`), port: await freePort() }
      await rm(place.folder, { recursive: true, force: true })
      await mkdir(values.into, { recursive: true })
      await whilePostgresRuns(place, async ({ url }) => {
        report(name, await runRepository(name, each, { DATABASE_URL: url, POSTGRES_URL: url }))
      })
    } else {
      report(name, await runRepository(name, each, {}))
    }
  } catch (error) {
    report(name, { passed: 0, failures: [error instanceof Error ? error.message : String(error)] })
  }
}

/**
 * @param {string} name
 * @param {import('./repositoryList.mjs').Repository} repository
 * @param {Record<string, string>} database the variables with its URL
 */
async function runRepository(
  name,
  { repository, env = {}, edits = [], before, paths = ['/'], skipped = [], services },
  database,
) {
  const { folder, packs } = await layOut({
    name,
    repository: values.sources ? path.resolve(values.sources, `${name}.git`) : repository,
    into: path.join(values.into, name),
  })
  const app = path.join(folder, 'app')
  const stub = new URL('stubServices.mjs', import.meta.url)
  const all = {
    ...env,
    ...database,
    ...(services
      ? { NODE_OPTIONS: `--import ${stub}`, STUBBED_SERVICES: JSON.stringify(services) }
      : {}),
    // The version of pnpm that is there does: a registry's copy may have no signatures.
    npm_config_manage_package_manager_versions: 'false',
  }
  const shell = { ...process.env, ...all }
  await must('git', ['init', '--quiet'], app)
  for (const { file, from, to } of edits) await edit(path.join(app, file), from, to)
  await must('git', ['add', '.'], app)
  const author = ['-c', 'user.name=Suite', '-c', 'user.email=suite@localhost']
  await must('git', [...author, 'commit', '--quiet', '-m', 'As it is'], app)
  const bin = new URL('../../packages/next/bin/waymark-next.js', import.meta.url).pathname
  const versions = ['--waymark', packs.waymark, '--next', packs.next]
  const moved = await must('node', [bin, 'move', ...versions], app, shell)
  say(moved.slice(moved.lastIndexOf('\nFiles changed')))
  for (const [command = '', ...args] of before ?? []) await must(command, args, app, shell)
  const port = await freePort()
  return whileServed(app, 'start', { port, env: all }, (origin) =>
    followLinks(origin, paths, skipped),
  )
}
