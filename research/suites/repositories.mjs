// Usage: node research/suites/repositories.mjs [--only <name>] [--sources <folder>] [--into <folder>]
// Public applications as they lie in their repositories: moved, built and served in production, then
// every link is followed and the flows of a user are taken. `--sources` is a folder of clones, `<name>.git`, in place of the network.
import { once } from 'node:events'
import { access, mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { must, run, say } from '../../scripts/workspace/run.mjs'
import { clickThrough, freePort, whileServed } from './clickThrough.mjs'
import { followLinks } from './followLinks.mjs'
import { whilePostgresRuns } from './postgres.mjs'
import { begins, flows } from './repositoryFlows.mjs'
import { repositories } from './repositoryList.mjs'
import { edit, layOut, report } from './suite.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    sources: { type: 'string' },
    into: { type: 'string', default: '/tmp/waymark-suites/repositories' },
  },
})

/**
 * The package manager for each lock file. Yarn 1 runs the newer release that a repository may
 * contain.
 */
const managers = { 'pnpm-lock.yaml': ['pnpm', 'pnpm@10'], 'yarn.lock': ['yarn', 'yarn@1'] }

for (const each of repositories) {
  const name = each.repository.replace(/^.*\//, '')
  if (values.only !== undefined && values.only !== name) continue
  try {
    await whileServicesRespond(each.services, async (stubs) => {
      if (each.hasDatabase) {
        const place = { folder: path.join(values.into, `${name}-postgres`), port: await freePort() }
        await rm(place.folder, { recursive: true, force: true })
        await mkdir(values.into, { recursive: true })
        await whilePostgresRuns(place, async ({ url }) => {
          const database = { DATABASE_URL: url, POSTGRES_URL: url }
          report(name, await runRepository(name, each, { ...stubs, ...database }))
        })
      } else {
        report(name, await runRepository(name, each, stubs))
      }
    })
  } catch (error) {
    report(name, { passed: 0, failures: [error instanceof Error ? error.message : String(error)] })
  }
}

/**
 * @param {string} name
 * @param {import('./repositoryList.mjs').Repository} repository
 * @param {Record<string, string>} suiteEnv variables with the URLs of a database and of services
 */
async function runRepository(
  name,
  { repository, env = {}, edits = [], before, paths = ['/'], skipped = [] },
  suiteEnv,
) {
  const { folder, packs } = await layOut({
    name,
    repository: values.sources ? path.resolve(values.sources, `${name}.git`) : repository,
    into: path.join(values.into, name),
  })
  const app = path.join(folder, 'app')
  const all = {
    ...env,
    ...suiteEnv,
    // Uses the installed version of pnpm, because a registry mirror may have no signatures.
    npm_config_manage_package_manager_versions: 'false',
    // Yarn's shared cache has packages of an earlier run, by the names of their archives.
    YARN_CACHE_FOLDER: path.join(folder, 'yarn-cache'),
  }
  const shell = { ...process.env, ...all, PATH: await pathWithManager(app) }
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
  return whileServed(app, 'start', { port, env: all }, async (origin) => {
    const clicked = await clickThrough(origin, flows[name] ?? {})
    const followed = await followLinks(origin, paths, { skipped, begin: begins[name] })
    return {
      passed: clicked.passed + followed.passed,
      failures: [...clicked.failures, ...followed.failures],
    }
  })
}

/**
 * Installs the package manager of a repository if this machine lacks it.
 * @param {string} app
 * @returns {Promise<string>} the variable `PATH`
 */
async function pathWithManager(app) {
  const folder = path.resolve(values.into, 'programs')
  const all = [process.env.PATH, path.join(folder, 'node_modules/.bin')].join(path.delimiter)
  for (const [lockFile, [program = '', archive = '']] of Object.entries(managers)) {
    const isUsed = await access(path.join(app, lockFile)).then(
      () => true,
      () => false,
    )
    if (!isUsed) continue
    const env = { ...process.env, PATH: all }
    const { exitCode } = await run(program, ['--version'], { cwd: values.into, quiet: true, env })
    if (exitCode === 0) continue
    await mkdir(folder, { recursive: true })
    await must('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', archive], folder)
  }
  return all
}

/**
 * @param {import('./repositoryList.mjs').Repository['services']} services
 * @param {(env: Record<string, string>) => Promise<void>} use is given what `stubServices.mjs` reads
 */
async function whileServicesRespond(services, use) {
  if (!services) return use({})
  const server = createServer(async (request, response) => {
    const respond = services[decodeURIComponent(request.url?.slice(1) ?? '')]
    const body = await json(request)
    response.end(JSON.stringify(typeof respond === 'function' ? respond(body) : null))
  })
  const port = await freePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const stubs = Object.entries(services).map(([start, service]) => {
    const isServed = typeof service === 'function'
    return [start, isServed ? `http://127.0.0.1:${port}/${encodeURIComponent(start)}` : service]
  })
  try {
    await use({
      NODE_OPTIONS: `--import ${new URL('stubServices.mjs', import.meta.url)}`,
      STUBBED_SERVICES: JSON.stringify(Object.fromEntries(stubs)),
    })
  } finally {
    server.close()
  }
}
