import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { ViteBuilder } from 'vite'
import type { ResolvedOptions } from '../options.ts'
import type { ClientReferences } from './clientReferences.ts'
import type { BuildReporter } from './reporter.ts'

/** An app whose bundles are made. */
export type BundledApp = {
  readonly builder: ViteBuilder
  readonly reporter: BuildReporter
  readonly references: ClientReferences
  readonly manager: RscPluginManager
  readonly options: ResolvedOptions
  /** The folder of another build, whose assets this one keeps. */
  readonly assetsFrom: string | null
}
