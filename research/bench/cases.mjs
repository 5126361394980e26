/** The pages, the servers that serve them, and the goals. */
import { fileURLToPath } from 'node:url'
import { cliOf, fixtureDir, fixtureOf, startArgs } from './lib/fixture.mjs'

/**
 * The measured pages. The response must contain `shows`, so that a broken server can't look fast.
 * `floor` names the server to compare with. `target` is the share of its requests per second that the
 * framework should reach.
 */
export const pages = [
  { name: 'static', path: '/', shows: 'A static page', floor: 'constant', target: 0.6 },
  {
    name: 'static 404',
    path: '/none',
    status: 404,
    shows: '</html>',
    floor: 'constant',
    target: 0.6,
  },
  { name: 'small', path: '/small?q=abc', shows: 'abc', floor: 'collected', target: 0.8 },
  {
    name: 'items',
    path: '/items?q=abc',
    shows: 'Item number 100',
    floor: 'collected',
    target: 0.9,
  },
  {
    name: 'items data',
    path: '/_waymark/data/items.rsc?q=abc',
    shows: 'Item number 100',
    floor: 'flight',
    target: 1.5,
  },
]

const staticPages = ['static', 'static 404']
const dynamicPages = ['small', 'items']
const pageData = ['items data']
const everyPage = [...staticPages, ...dynamicPages, ...pageData]

/** The servers. Among the floors, the slowest is last. */
export const servers = [
  { name: 'constant', ...floor('constant'), pages: staticPages },
  { name: 'fizz', ...floor('fizz'), pages: dynamicPages },
  { name: 'collected', ...floor('collected'), pages: dynamicPages },
  { name: 'collected-bytes', ...floor('collected-bytes'), pages: dynamicPages },
  { name: 'node-streams', ...floor('node-streams'), pages: dynamicPages },
  { name: 'web-streams', ...floor('web-streams'), pages: dynamicPages },
  { name: 'flight', ...floor('flight'), pages: pageData },
  { name: 'waymark', args: startArgs, cwd: fixtureDir, pages: everyPage },
]

/** Returns the framework of another checkout, which is already built. */
export function ofCheckout(name, dir) {
  const args = (port) => [cliOf(dir), 'start', '--port', String(port)]
  return { name, args, cwd: fixtureOf(dir), pages: everyPage }
}

function floor(name) {
  const file = fileURLToPath(new URL(`./floors/${name}.mjs`, import.meta.url))
  return { args: (port) => [file, String(port)], floor: true }
}
