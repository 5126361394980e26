/**
 * `npm start` serves the production build of the reference site at http://localhost:3000, or at the
 * port in PORT. It needs only Node and npm, and installs and builds whatever is missing or out of
 * date.
 */
import { pathToFileURL } from 'node:url'
import { buildPackages, buildSite, packagesOfSite } from './workspace/build.mjs'
import { assertNodeVersion, ensureDependencies } from './workspace/install.mjs'
import { siteRoot, waymarkCli } from './workspace/paths.mjs'

try {
  assertNodeVersion(process.versions.node)
  await ensureDependencies('packages')
  await buildPackages({ typeErrors: 'report', names: packagesOfSite() })
  await buildSite()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

// Serve in this process rather than in a child, so that signals and the exit code need no
// forwarding.
process.chdir(siteRoot)
process.argv = [process.execPath, waymarkCli, 'start', ...process.argv.slice(2)]
await import(pathToFileURL(waymarkCli).href)
