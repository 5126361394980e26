import { bucketBounds } from '../shared/series.ts'
import type { Labels } from './arrivalLabels.ts'

/** OpenTelemetry instruments for arrivals. */
export type Instruments = {
  readonly arrivals: { add(count: number, attributes: Labels): void }
  readonly duration: { record(seconds: number, attributes: Labels): void }
}

type Meter = {
  createCounter(name: string, options: object): Instruments['arrivals']
  createHistogram(name: string, options: object): Instruments['duration']
}

type MeterProvider = { getMeter(name: string): Meter }

type Registered = { readonly metrics?: MeterProvider }

/**
 * Global key under which all copies of `@opentelemetry/api` 1.x share the registered providers. Read the
 * key directly, because a build contains the app's own copy of the package or none at all.
 */
const registry = Symbol.for('opentelemetry.js.api.1')

/** @returns a function that returns the instruments, or `null` while the app has no meter provider */
export function createInstrumentFinder(): () => Instruments | null {
  let provider: MeterProvider | undefined
  let instruments: Instruments | null = null
  return () => {
    const { metrics } = Object((globalThis as Record<symbol, unknown>)[registry]) as Registered
    if (metrics !== provider) instruments = metrics ? createInstruments(metrics) : null
    provider = metrics
    return instruments
  }
}

function createInstruments(provider: MeterProvider): Instruments {
  const meter = provider.getMeter('waymark')
  return {
    arrivals: meter.createCounter('waymark.arrivals', { description: 'Loads of pages' }),
    duration: meter.createHistogram('waymark.arrival.duration', {
      description: 'Time until a page was on the screen',
      unit: 's',
      advice: { explicitBucketBoundaries: bucketBounds.map((ms) => ms / 1000) },
    }),
  }
}
