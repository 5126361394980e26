import type { FormHTMLAttributes, ReactNode, Ref } from 'react'
import type { CheckedHref } from '../shared/appRoutes.ts'
import { withBasePath } from '../shared/basePath.ts'
import { checkedHref } from '../shared/safeHref.ts'

/** Attributes of a form, and how submitting it navigates. */
export type FormProps<Given extends string = string> = Omit<
  FormHTMLAttributes<HTMLFormElement>,
  'action' | 'method'
> & {
  /** Path of a page, whose query the fields become. */
  readonly action: CheckedHref<Given>
  /** Takes the place of the current history entry. */
  readonly replace?: boolean
  /** `false` leaves the scroll position as it is. */
  readonly scroll?: boolean
  readonly ref?: Ref<HTMLFormElement>
}

/** A form that leads to a page, as a search does; without scripts it works the same. */
export function Form<const Given extends string>({
  action,
  replace,
  scroll,
  ...attributes
}: FormProps<Given>): ReactNode {
  return (
    <form
      {...attributes}
      action={checkedHref(withBasePath(action))}
      method="get"
      data-waymark-form=""
      data-replace={replace ? '' : undefined}
      data-scroll={scroll === false ? 'keep' : undefined}
    />
  )
}
