import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../scripts/workspace/paths.mjs'
import { run } from '../../scripts/workspace/run.mjs'
import * as systemTools from '../../scripts/workspace/systemTools.mjs'
import { freePort } from './freePort.ts'
import { type ServerProcess, startServer } from './serverProcess.ts'
import { asUser, findUser, isRoot } from './systemUsers.ts'

/** A web server in front of an app, configured with the file in `deploy/`. */
export type WebServer = ServerProcess & {
  readonly origin: string
  /**
   * Certificate of the authority that signed the server's certificate, or `null` for a server
   * without TLS.
   */
  readonly certificate: string | null
}

/** The app and its servers to which a web server forwards. */
export type Behind = {
  /** Folder of the built app. */
  readonly root: string
  /** Ports to use instead of the ports of the two servers in the configuration file. */
  readonly ports: readonly [number, number]
  /** Changes the text of the configuration file. */
  readonly change?: (file: string) => string
}

/** A kind of web server, which may not be installed. */
export type WebServerKind = {
  readonly name: string
  readonly program: string | null
  /** True if the server refuses bodies of more than 10 MB. */
  readonly limitsBodies: boolean
  start(behind: Behind): Promise<WebServer>
}

const deployed = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8')

/** nginx, with `deploy/nginx/app.conf`. */
export const nginx: WebServerKind = {
  name: 'nginx',
  program: systemTools.nginx.find(),
  limitsBodies: true,
  async start(behind) {
    const app = adapt(deployed('nginx/app.conf'), behind)
    return startNginx((port) => app.replace('listen 8080', `listen ${port}`))
  },
}

/**
 * Starts nginx as a shared cache in front of one app. The cache stores what `cache-control` allows,
 * uses only the URL as key, and reports in `x-cache` if it was used.
 */
export function startSharedCache(appPort: number): Promise<WebServer> {
  return startNginx((port, folder) =>
    [
      `proxy_cache_path ${folder}/cache keys_zone=pages:1m;`,
      `server { listen ${port}; location / {`,
      'proxy_cache pages; proxy_cache_key $request_uri; add_header x-cache $upstream_cache_status always;',
      `proxy_set_header Host $http_host; proxy_pass http://127.0.0.1:${appPort};`,
      '} }',
    ].join('\n'),
  )
}

/**
 * Starts nginx with a generated configuration.
 * @param write returns the content of the `http` block for a port and a folder
 */
async function startNginx(write: (port: number, folder: string) => string): Promise<WebServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'waymark-nginx-'))
  // Make the folder accessible to nginx's workers, because they store request bodies in it.
  chmodSync(folder, 0o711)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const file = join(folder, 'nginx.conf')
  const lines = [
    // Run the workers as the user www-data, as Debian's default configuration does.
    ...(isRoot ? [`user ${findUser('www-data').name};`] : []),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr warn;`,
    'events { worker_connections 256; }',
    `http { include /etc/nginx/mime.types; access_log off; ${temporary.join(' ')}`,
    write(port, folder),
    '}',
  ]
  writeFileSync(file, lines.join('\n'))
  const args = ['-p', folder, '-c', file]
  await expectValid(nginx, [...args, '-t'], folder)
  const server = await startListening(nginx, args, port, folder)
  return { ...server, origin: `http://127.0.0.1:${port}`, certificate: null }
}

/** Caddy, with `deploy/caddy/Caddyfile` and certificates from Caddy's own authority. */
export const caddy: WebServerKind = {
  name: 'Caddy',
  program: systemTools.caddy.find(),
  limitsBodies: false,
  async start(behind) {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'waymark-caddy-'))
    const file = join(folder, 'Caddyfile')
    const options = `{\nadmin off\nauto_https disable_redirects\nlocal_certs\nskip_install_trust\nstorage file_system ${folder}/data\n}\n`
    const app = adapt(deployed('caddy/Caddyfile'), behind)
    writeFileSync(file, options + app.replace('example.com {', `https://localhost:${port} {`))
    const user = findUser('caddy')
    if (isRoot) for (const each of [folder, file]) chownSync(each, user.uid, user.gid)
    const args = ['--config', file, '--adapter', 'caddyfile']
    const start = asUser(user, [this.program ?? 'caddy', 'run', ...args])
    await expectValid(this, ['validate', ...args], folder)
    // Delete the files that the configuration check has written, because they belong to the user
    // who runs the tests.
    rmSync(join(folder, 'data'), { recursive: true, force: true })
    const caddyAsUser = { name: this.name, program: start.program }
    const server = await startListening(caddyAsUser, start.args, port, folder)
    const certificate = readFileSync(join(folder, 'data/pki/authorities/local/root.crt'), 'utf8')
    return { ...server, origin: `https://localhost:${port}`, certificate }
  },
}

function adapt(file: string, { root: app, ports, change = (text) => text }: Behind): string {
  return change(file)
    .replaceAll('/srv/app', app)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports[0]}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports[1]}`)
}

// Set folders for the files that Caddy would otherwise write into the user's home.
const environment = (folder: string) => ({
  ...process.env,
  XDG_CONFIG_HOME: folder,
  XDG_DATA_HOME: folder,
})

async function expectValid(
  { name, program }: WebServerKind,
  args: readonly string[],
  folder: string,
): Promise<void> {
  const options = { cwd: folder, quiet: true, env: environment(folder) }
  const { exitCode, output } = await run(program ?? name, args, options)
  if (exitCode !== 0) throw new Error(`${name} refuses its configuration:\n${output}`)
}

async function startListening(
  { name, program }: Pick<WebServerKind, 'name' | 'program'>,
  args: readonly string[],
  port: number,
  folder: string,
): Promise<ServerProcess> {
  const server = await startServer({
    program: program ?? name,
    args,
    cwd: folder,
    env: environment(folder),
    // Wait only for the port, because Caddy prints nothing when it listens.
    listening: '',
    startWithinMs: 1,
  })
  const endsMs = Date.now() + 10_000
  while (!(await isListening(port))) {
    if (server.exitCode() !== null || Date.now() > endsMs) {
      await server.kill()
      throw new Error(`${name} does not listen:\n${server.logs()}`)
    }
    await sleep(20)
  }
  return {
    ...server,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', (hadError) => resolve(!hadError))
  })
}
