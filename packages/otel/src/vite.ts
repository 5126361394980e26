import { definePackage, type PackagePlugin } from 'waymark/plugin'

/** Options of `otel()`. */
export type OtelOptions = {
  /** Maximum number of spans inside a request's span. Further steps are only counted. Default: 100. */
  readonly maxSteps?: number
}

/**
 * Vite plugin of `@waymark/otel`, which creates an OpenTelemetry span for each request and its
 * steps. The app starts OpenTelemetry's SDK itself, in `instrumentation.ts`.
 */
export function otel({ maxSteps = 100 }: OtelOptions = {}): PackagePlugin {
  return definePackage('@waymark/otel', () => ({
    server: { module: new URL('./server.js', import.meta.url), name: 'traceRequests' },
    options: { maxSteps },
  }))
}
