import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { Rolldown, ViteBuilder } from 'vite'
import type { BuildManifest, MeasuredRoute } from '../../shared/buildManifest.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import type { DescribedFailures } from '../prerender/messages.ts'
import type { ClientReferences } from './clientReferences.ts'

/** An app after its bundles are written. */
export type BundledApp = {
  readonly builder: ViteBuilder
  readonly reporter: BuildReporter
  readonly references: ClientReferences
  readonly manager: RscPluginManager
  readonly options: ResolvedOptions
  /** Packages with machine code that its server imports. */
  readonly nativePackages: readonly string[]
  /** What became of each change to other packages' text. */
  readonly patches: BuildManifest['patches']
  /** The folder of another build, whose assets stay in this one. */
  readonly assetsFrom: string | null
}

/** A bundle by the names of its files, with the members of chunks that are read. */
export type Bundle<Members extends keyof Rolldown.OutputChunk> = Readonly<
  Record<
    string,
    { readonly type: 'asset' } | Readonly<Pick<Rolldown.OutputChunk, 'type' | Members>>
  >
>

/** Reports the progress of a build. */
export type BuildReporter = {
  /** A step begins, and the one before is done. */
  step(text: string): void
  /** Progress of the step. */
  progress(text: string): void
  /** What the app's own code prints while it is rendered. */
  output(text: string): void
  /** The build is done. */
  finish(manifest: BuildManifest, outcome: BuildOutcome): void
}

/** What is to be said of a build beside its manifest. */
export type BuildOutcome = DescribedFailures & {
  /** Routes of the build before; `null` when there was none. */
  readonly before: readonly MeasuredRoute[] | null
}
