import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { ViteBuilder } from 'vite'
import type { BuildManifest } from '../../shared/buildManifest.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import type { ClientReferences } from './clientReferences.ts'

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

/** Hears how a build goes. */
export type BuildReporter = {
  /** A step begins, and the one before is done. */
  step(text: string): void
  /** How far the step is. */
  progress(text: string): void
  /** What the app's own code prints while it is rendered. */
  output(text: string): void
  /** The build is done. */
  finish(facts: BuildManifest): void
}
