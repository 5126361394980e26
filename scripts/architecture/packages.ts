/** A package other than the core. */
export type WorkspacePackage = {
  /** Entries of our packages that the package's sources may import. */
  readonly entries: readonly string[]
  /**
   * The package's folders, with the folders that each may import, in the same form as `layers` for
   * the core.
   */
  readonly layers?: Readonly<Record<string, readonly string[]>>
}

/** All packages other than the core, by folder name in `packages/`. A new package needs a row. */
export const workspacePackages: Readonly<Record<string, WorkspacePackage>> = {
  arrivals: {
    entries: ['waymark', 'waymark/plugin', 'waymark/plugin/node', 'waymark/plugin/server'],
    layers: {
      shared: [],
      client: ['shared'],
      server: ['shared'],
      report: ['shared'],
      page: ['shared', 'report'],
      command: ['shared', 'report', 'page'],
    },
  },
  conformance: {
    entries: [
      'waymark/adapter',
      'waymark/plugin',
      'waymark/plugin/node',
      'waymark/vite',
      '@waymark/live/vite',
      '@waymark/testing',
    ],
  },
  contract: {
    entries: [
      'waymark/plugin',
      'waymark/plugin/node',
      '@waymark/testing',
      '@waymark/testing/build',
    ],
    layers: {
      contract: [],
      build: [],
      config: ['contract'],
      probe: ['build', 'config', 'contract'],
      accessibility: ['build', 'config', 'contract', 'probe'],
      compare: ['build', 'config', 'contract', 'probe'],
      exposure: ['build', 'config', 'contract', 'probe', 'reads'],
      fields: ['build', 'config', 'probe', 'reads'],
      reads: [],
      dev: ['build', 'contract'],
    },
  },
  'create-waymark': { entries: [] },
  devtools: {
    entries: [
      'waymark/plugin',
      'waymark/plugin/dev',
      '@waymark/contract/dev',
      '@waymark/replay/dev',
      '@waymark/testing/dev',
    ],
    layers: { events: [], panel: ['events'], mcp: [], warnings: [] },
  },
  font: { entries: ['waymark/plugin'] },
  image: {
    entries: [
      'waymark/adapter',
      'waymark/plugin',
      'waymark/plugin/client',
      'waymark/plugin/server',
    ],
  },
  i18n: {
    entries: [
      'waymark',
      'waymark/client',
      'waymark/plugin',
      'waymark/plugin/client',
      'waymark/plugin/server',
      'waymark/server',
    ],
    layers: {
      shared: [],
      texts: [],
      client: ['shared'],
      server: ['shared', 'client'],
      build: ['shared'],
    },
  },
  next: {
    entries: [
      'waymark',
      'waymark/client',
      'waymark/script',
      'waymark/server',
      'waymark/vite',
      'waymark/adapter',
      'waymark/plugin/client',
      'waymark/plugin/dev',
      'waymark/plugin/server',
      '@waymark/font',
      '@waymark/font/vite',
      '@waymark/image',
      '@waymark/image/og',
      '@waymark/image/vite',
    ],
  },
  lambda: { entries: ['waymark/adapter'] },
  live: {
    entries: [
      'waymark',
      'waymark/plugin',
      'waymark/plugin/client',
      'waymark/plugin/server',
      'waymark/server',
    ],
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
    entries: [
      'waymark',
      'waymark/client',
      'waymark/plugin',
      'waymark/plugin/client',
      'waymark/plugin/server',
    ],
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
      texts: ['shared'],
    },
  },
  operations: {
    entries: [
      'waymark/adapter',
      'waymark/drivers',
      'waymark/node',
      'waymark/plugin',
      'waymark/plugin/node',
      'waymark/plugin/server',
    ],
    layers: { shared: [], assets: [], doctor: ['shared'] },
  },
  cloudflare: { entries: ['waymark/adapter', 'waymark/drivers'] },
  otel: { entries: ['waymark/plugin', 'waymark/plugin/server'] },
  redis: { entries: ['waymark/drivers', 'waymark/plugin'] },
  replay: {
    entries: [
      'waymark/drivers',
      'waymark/plugin',
      'waymark/plugin/node',
      '@waymark/testing',
      '@waymark/testing/build',
    ],
    layers: { server: [], writtenTest: ['server'], command: ['server', 'writtenTest'] },
  },
  s3: {
    entries: ['waymark/drivers', '@waymark/operations/assets'],
  },
  schedule: { entries: ['waymark/drivers', 'waymark/plugin'] },
  session: {
    entries: ['waymark/drivers', 'waymark/plugin/server', 'waymark/server'],
  },
  speedups: {
    entries: ['waymark/plugin'],
    layers: { rows: [], rendering: [], encoder: [] },
  },
  testing: {
    entries: [
      'waymark/adapter',
      'waymark/drivers',
      'waymark/node',
      'waymark/plugin',
      'waymark/plugin/node',
    ],
    layers: { drill: [], drivers: [], testApp: ['drill'] },
  },
  vercel: { entries: ['waymark/adapter'] },
}

/** Packages whose version differs from the core's version, with the reason. */
export const otherVersions: Readonly<Record<string, string>> = {
  '@waymark/next': 'has the version of next whose names it has',
}

/**
 * All entries of the core, which are all public. The first six are for apps, the others for
 * packages.
 */
export const publicEntries: readonly string[] = [
  'index',
  'client',
  'server',
  'script',
  'vite',
  'node',
  'drivers',
  'adapter',
  'plugin',
  'pluginClient',
  'pluginNode',
  'pluginServer',
  'pluginDev',
]
