import type { ComponentProps, ReactNode } from 'react'

/** A table that scrolls by itself where it is too wide. */
export function Table(props: ComponentProps<'table'>): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="table" tabIndex={0} aria-label="Table">
      <table {...props} />
    </section>
  )
}
