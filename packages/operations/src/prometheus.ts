import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FinishedRequest } from 'waymark/plugin/node'

/** Bucket bounds in seconds, which are the defaults of Prometheus clients. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

type Series = {
  readonly labels: string
  count: number
  seconds: number
  readonly buckets: number[]
}

// Methods that become labels. Clients can invent other methods, each of which would create a new series.
const labelledMethods = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/

export function createMetrics() {
  const requests = new Map<string, Series>()
  const caches = new Map<string, number>()
  let running = 0
  let rendering = 0
  let errors = 0
  let bytes = 0
  const lag = createLoopLag()

  function seriesOf({ method, route, status }: FinishedRequest): Series {
    const methodLabel = labelledMethods.test(method) ? method : 'other'
    const labels = `method="${methodLabel}",route=${quoted(route ?? '')},status="${status}"`
    const existing = requests.get(labels)
    if (existing) return existing
    const created = { labels, count: 0, seconds: 0, buckets: bounds.map(() => 0) }
    requests.set(labels, created)
    return created
  }

  return {
    onStarted() {
      running++
    },
    onRendering(change: 1 | -1) {
      rendering += change
    },
    onFinished(request: FinishedRequest) {
      running--
      bytes += request.bytes
      if (request.digest !== null) errors++
      if (request.cache !== null) caches.set(request.cache, (caches.get(request.cache) ?? 0) + 1)
      const series = seriesOf(request)
      const seconds = request.durationMs / 1000
      series.count++
      series.seconds += seconds
      for (const [at, bound] of bounds.entries()) {
        if (seconds <= bound) series.buckets[at] = (series.buckets[at] ?? 0) + 1
      }
    },
    text(): string {
      const lines = [
        ...histogram('waymark_request_seconds', [...requests.values()]),
        ...metric('waymark_requests_running', 'gauge', [['', running]]),
        ...metric('waymark_renders_running', 'gauge', [['', rendering]]),
        ...metric('waymark_errors_total', 'counter', [['', errors]]),
        ...metric('waymark_sent_bytes_total', 'counter', [['', bytes]]),
        ...metric(
          'waymark_page_cache_total',
          'counter',
          [...caches].map(([state, count]) => [`state=${quoted(state)}`, count]),
        ),
        ...metric('waymark_event_loop_lag_seconds', 'gauge', lag.samples()),
        ...metric('process_resident_memory_bytes', 'gauge', [['', process.memoryUsage.rss()]]),
      ]
      return `${lines.join('\n')}\n`
    },
  }
}

function createLoopLag(): { samples(): Sample[] } {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  return {
    samples() {
      // Subtract 20 ms, because the timer fires every 20 ms even without any lag.
      const at = (percentile: number) => Math.max(0, delay.percentile(percentile) / 1e9 - 0.02)
      const samples: Sample[] = [
        ['quantile="0.5"', at(50)],
        ['quantile="0.99"', at(99)],
      ]
      // Reset the histogram, so that each scrape covers the time since the previous scrape.
      delay.reset()
      return samples
    },
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}

type Sample = readonly [labels: string, value: number]

function metric(name: string, type: string, samples: readonly Sample[]): string[] {
  const lines = samples.map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`)
  return [`# TYPE ${name} ${type}`, ...lines]
}

function histogram(name: string, all: readonly Series[]): string[] {
  const lines = all.flatMap(({ labels, count, seconds, buckets }) => [
    ...bounds.map((bound, at) => `${name}_bucket{${labels},le="${bound}"} ${buckets[at]}`),
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${seconds}`,
    `${name}_count{${labels}} ${count}`,
  ])
  return [`# TYPE ${name} histogram`, ...lines]
}
