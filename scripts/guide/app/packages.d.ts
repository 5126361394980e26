declare module 'some-chart-package' {
  import type { ReactNode } from 'react'

  export function Chart(props: { values: readonly number[] }): ReactNode
}
