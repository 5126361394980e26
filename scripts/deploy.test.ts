import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { dashboardQueries } from './dashboard.ts'
import { root } from './workspace/paths.mjs'
import { run } from './workspace/run.mjs'

const read = (file: string) => readFileSync(new URL(`../deploy/${file}`, import.meta.url), 'utf8')
const documentsOf = (file: string) => {
  const documents = parseAllDocuments(read(file))
  if (!Array.isArray(documents)) throw new Error(`${file} is empty.`)
  for (const { errors } of documents) expect(errors).toEqual([])
  return documents.map((document) => document.toJS())
}

describe('the files in deploy/', () => {
  test('give Kubernetes probes, and more time to stop than the server needs', () => {
    const [deployment, service, budget] = documentsOf('kubernetes/app.yaml')
    const pod = deployment.spec.template.spec
    const [app] = pod.containers
    expect(app.readinessProbe.httpGet.path).toBe('/_waymark/health/ready')
    expect(app.livenessProbe.httpGet.path).toBe('/_waymark/health/live')
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(secondsToEnd(app.args.join(' ')))
    // The load balancer must have removed a pod before the pod stops accepting connections.
    const { periodSeconds, failureThreshold } = app.readinessProbe
    expect(secondsOf(app.args.join(' '), 'drain-delay')).toBeGreaterThan(
      periodSeconds * failureThreshold,
    )
    expect(service.spec.selector).toEqual(deployment.spec.template.metadata.labels)
    expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas)
    for (const { name } of app.volumeMounts) {
      expect(pod.volumes.map((volume: { name: string }) => volume.name)).toContain(name)
    }
  })

  test('give Kubernetes only fields that it knows, with values of the right type', async () => {
    expect(await typeErrors(documentsOf('kubernetes/app.yaml'))).toBe('')
    const [deployment, ...others] = documentsOf('kubernetes/app.yaml')
    deployment.spec.template.spec.containers[0].readinessProb = {}
    others[0].spec.ports[0].port = 'http'
    const errors = await typeErrors([deployment, ...others])
    expect(errors).toMatch(/'"readinessProb"' does not exist/)
    expect(errors).toContain("Type 'string' is not assignable to type 'number'")
  }, 60_000)

  test('give Compose the same secret for all replicas, and time to stop', () => {
    const [{ services, volumes }] = documentsOf('docker/compose.yaml')
    expect(services.app.environment.WAYMARK_SECRET).toMatch(/^\$\{WAYMARK_SECRET:\?/)
    const grace = Number.parseInt(services.app.stop_grace_period, 10)
    expect(grace).toBeGreaterThan(secondsToEnd(services.app.command.join(' ')))
    expect(Object.keys(services)).toEqual(expect.arrayContaining(['valkey', 'balancer']))
    expect(Object.keys(volumes)).toEqual(['assets'])
    // Only entries with an expiry may be evicted, because entries of the invalidation log have none
    // and must stay.
    expect(services.valkey.command.join(' ')).toContain('--maxmemory-policy volatile-lru')
  })

  test('let nginx set all headers that the server trusts, as in the guide, so that no client can forge them', () => {
    const guide = read('../site/app/guide/deployment/page.mdx')
    for (const text of [read('nginx/app.conf'), guide]) {
      const set = [...text.matchAll(/proxy_set_header (X-Forwarded-\w+) \$/g)]
      expect(set.map(([, name]) => name).sort()).toEqual(
        ['For', 'Host', 'Proto'].map((name) => `X-Forwarded-${name}`),
      )
    }
  })

  test("give Docker an image that doesn't run as root", () => {
    const lines = read('docker/Dockerfile').split('\n')
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
    expect(last).toContain('USER node')
    // Pass the secret to the build, because a build without one generates a secret and writes it
    // into the image.
    expect(read('docker/Dockerfile')).toContain('RUN --mount=type=secret,id=WAYMARK_SECRET')
    // A build argument in the last stage would be a part of the image.
    expect(last.some((line) => /npm|ARG/.test(line))).toBe(false)
    expect(last.find((line) => line.startsWith('CMD '))).toContain(
      '"node", "--max-semi-space-size=16", ".waymark/server.js"',
    )
  })

  const python = '/usr/bin/python3'
  test.skipIf(!existsSync(python))('give Fly a file that drains its machines', () => {
    const program = 'import json, sys, tomllib; print(json.dumps(tomllib.load(sys.stdin.buffer)))'
    const input = read('fly/fly.toml')
    const fly = JSON.parse(execFileSync(python, ['-c', program], { input, encoding: 'utf8' }))
    // With SIGINT, which is Fly's default, the server would skip the delay.
    expect(fly.kill_signal).toBe('SIGTERM')
    expect(fly.kill_timeout).toBeGreaterThan(secondsToEnd(fly.processes.app))
    expect(fly.kill_timeout).toBeLessThanOrEqual(300)
    const { checks, internal_port } = fly.http_service
    expect(checks[0].path).toBe('/_waymark/health/ready')
    expect(secondsOf(fly.processes.app, 'drain-delay')).toBeGreaterThan(
      2 * Number.parseInt(checks[0].interval, 10),
    )
    expect(read('docker/Dockerfile')).toContain(`PORT=${internal_port}`)
    for (const file of [fly.build.dockerfile, fly.build.ignorefile]) {
      expect(existsSync(new URL(`../${file}`, import.meta.url))).toBe(true)
    }
  })

  test('give Railway a file that drains its deployments', () => {
    const { build, deploy } = JSON.parse(read('railway/railway.json'))
    expect(deploy.healthcheckPath).toBe('/_waymark/health/ready')
    // Railway refuses text in place of a number.
    expect(deploy.drainingSeconds).toBeGreaterThan(secondsToEnd(deploy.startCommand))
    expect(deploy.overlapSeconds).toBeTypeOf('number')
    expect(existsSync(new URL(`../${build.dockerfilePath}`, import.meta.url))).toBe(true)
    // Railway passes variables as build arguments.
    expect(read('docker/Dockerfile')).toMatch(/^ARG WAYMARK_SECRET$/m)
  })

  test('keep secrets and local build output out of the image, with an ignore file that Docker finds', () => {
    // The ignore file must be next to the Dockerfile, because Docker reads a .dockerignore only in
    // the build context.
    const left = read('docker/Dockerfile.dockerignore').trim().split('\n')
    expect(left).toEqual(expect.arrayContaining(['.waymark', 'node_modules', '.env*.local']))
  })

  test('name only metrics in Grafana that the packages export', () => {
    const sources = ['operations/src/prometheus.ts', 'arrivals/src/server/arrivalMetrics.ts']
    const exporters = sources.map((file) =>
      readFileSync(new URL(`../packages/${file}`, import.meta.url), 'utf8'),
    )
    const named = dashboardQueries('app').flatMap((query) =>
      query.match(/\b[a-z]+(?:_[a-z]+)+(?=[{[])/g),
    )
    const metrics = new Set(named.map((name) => name?.replace(/_(?:bucket|count|sum)$/, '')))
    expect([...metrics]).toContain('waymark_arrivals_total')
    for (const name of metrics) expect(exporters.join()).toMatch(new RegExp(`['\` ]${name}\\b`))
  })

  const analyze = '/usr/bin/systemd-analyze'
  test.skipIf(!existsSync(analyze))('give systemd a unit that it accepts', () => {
    const unit = new URL('../deploy/systemd/app.service', import.meta.url).pathname
    const output = execFileSync(analyze, ['verify', unit], { encoding: 'utf8', stdio: 'pipe' })
    expect(output).toBe('')
    const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(read('systemd/app.service'))?.[1])
    expect(stop).toBeGreaterThan(secondsToEnd(read('systemd/app.service')))
  })
})

describe('the guide', () => {
  const readPage = (name: string) => read(`../site/app/guide/${name}/page.mdx`)

  test('gives Docker, Coolify and Dokploy more time to stop than the server needs', () => {
    const command = read('docker/Dockerfile').replaceAll('", "', ' ')
    const stop = Number(/--stop-timeout (\d+)/.exec(readPage('docker'))?.[1])
    expect(stop).toBeGreaterThan(secondsToEnd(command))
    const panels = readPage('coolify').replaceAll('", "', ' ')
    const seconds = secondsToEnd(panels)
    expect(Number(/Stop Grace Period\*\* to (\d+) seconds/.exec(panels)?.[1])).toBeGreaterThan(
      seconds,
    )
    expect(Number(/`(\d+)`, which are nanoseconds/.exec(panels)?.[1]) / 1e9).toBeGreaterThan(
      seconds,
    )
    // The check must have failed often enough before the server stops accepting connections.
    const [, interval, timeout, retries] =
      /--interval=(\d)s --timeout=(\d)s --retries=(\d)/.exec(panels) ?? []
    const noticedAfter = (Number(interval) + Number(timeout)) * Number(retries)
    expect(secondsOf(panels, 'drain-delay')).toBeGreaterThan(noticedAfter)
  })
})

function secondsOf(command: string, option: string): number {
  return Number(new RegExp(`--${option}[ =](\\d+)s`).exec(command)?.[1])
}

function secondsToEnd(command: string): number {
  return secondsOf(command, 'drain-delay') + secondsOf(command, 'drain-timeout')
}

const kubernetesTypes: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  Service: 'core/v1',
  PodDisruptionBudget: 'policy/v1',
}

/** Compares objects with the types of Kubernetes' API. @returns the compiler's errors */
async function typeErrors(objects: readonly { readonly kind: string }[]): Promise<string> {
  const folder = mkdtempSync(join(root, 'node_modules/.kubernetes-'))
  try {
    const lines = objects.flatMap((object, at) => [
      `import type { ${object.kind} } from 'kubernetes-types/${kubernetesTypes[object.kind]}'`,
      `export const object${at}: ${object.kind} = ${JSON.stringify(object)}`,
    ])
    const file = join(folder, 'manifest.ts')
    writeFileSync(file, lines.join('\n'))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck']
    const resolution = ['--module', 'esnext', '--moduleResolution', 'bundler']
    const { output } = await run(process.execPath, [tsc, ...options, ...resolution, file], {
      cwd: folder,
      quiet: true,
    })
    return output
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
