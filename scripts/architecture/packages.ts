/** A package beside the core. */
export type OwnPackage = {
  /** The ceiling of its sources in code lines, without tests. */
  readonly codeLines: number
  /** The entries of our packages that its sources may import. */
  readonly entries: readonly string[]
  /** Its folders, and which others each may import, as `layers` says for the core. */
  readonly layers?: Readonly<Record<string, readonly string[]>>
}

/** The packages beside the core, by their folder in `packages/`. A new one is a row. */
export const ownPackages: Readonly<Record<string, OwnPackage>> = {
  arrivals: {
    codeLines: 2_136,
    entries: ['waymark', 'waymark/internal/node', 'waymark/internal/server'],
    layers: {
      shared: [],
      client: ['shared'],
      server: ['shared'],
      report: ['shared'],
      page: ['shared', 'report'],
      command: ['shared', 'report', 'page'],
    },
  },
  'create-waymark': { codeLines: 630, entries: [] },
  devtools: {
    codeLines: 3_180,
    entries: ['waymark/internal/vite', '@waymark/testing/internal/dev'],
    layers: { events: [], panel: ['events'], mcp: [] },
  },
  font: { codeLines: 622, entries: [] },
  image: {
    codeLines: 1_120,
    entries: ['waymark/internal', 'waymark/internal/server', 'waymark/internal/vite'],
  },
  next: {
    codeLines: 5_310,
    entries: [
      ...['waymark', 'waymark/client', 'waymark/script', 'waymark/server', 'waymark/vite'],
      ...['waymark/internal', 'waymark/internal/vite'],
      ...['@waymark/font', '@waymark/font/vite'],
      ...['@waymark/image', '@waymark/image/og', '@waymark/image/vite'],
    ],
  },
  live: {
    codeLines: 2_600,
    entries: ['waymark', 'waymark/internal', 'waymark/internal/server', 'waymark/server'],
    layers: {
      shared: [],
      client: ['shared'],
      server: ['shared'],
      stream: ['shared'],
      streamClient: ['shared'],
      socket: ['shared'],
    },
  },
  offline: {
    codeLines: 3_267,
    entries: ['waymark', 'waymark/client', 'waymark/internal', 'waymark/internal/server'],
    layers: {
      shared: [],
      worker: ['shared'],
      sync: ['shared', 'outbox', 'worker'],
      screen: ['shared'],
      forms: ['shared'],
      outbox: ['shared'],
      components: ['shared'],
      client: ['shared', 'forms', 'outbox'],
      server: ['shared'],
    },
  },
  operations: {
    codeLines: 590,
    entries: [
      ...['waymark/adapter', 'waymark/drivers'],
      ...['waymark/internal/node', 'waymark/internal/start'],
    ],
  },
  workerd: { codeLines: 210, entries: ['waymark/adapter'] },
  redis: { codeLines: 728, entries: ['waymark/drivers'] },
  s3: {
    codeLines: 150,
    entries: ['waymark/drivers', '@waymark/operations/internal/commands'],
  },
  testing: {
    codeLines: 4_480,
    entries: ['waymark/drivers', 'waymark/node', 'waymark/internal/node'],
    layers: { doctor: [], drill: [], drivers: [], replay: ['drill'], testApp: ['drill', 'replay'] },
  },
}

/** Packages whose version is another one than the core's, and why. */
export const otherVersions: Readonly<Record<string, string>> = {
  '@waymark/next': 'has the version of the names that it has',
}

/**
 * The public entries of the core, and how many values each exports at most; types are free. Apps
 * import the first six; drivers and adapter are for packages. `internal*` is for packages of ours.
 */
export const publicValues: Readonly<Record<string, number>> = {
  index: 13,
  client: 13,
  server: 25,
  script: 3,
  vite: 1,
  node: 4,
  drivers: 12,
  adapter: 5,
}
