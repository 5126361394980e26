import type { FormHTMLAttributes, ReactNode, Ref } from 'react'
import { Form as WaymarkForm } from 'waymark'

/** Attributes of a form, and options for the navigation. */
export type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, 'action' | 'method'> & {
  /** A server action, or the path of a page that gets the fields as its query. */
  readonly action: NonNullable<FormHTMLAttributes<HTMLFormElement>['action']>
  readonly replace?: boolean | undefined
  readonly scroll?: boolean | undefined
  readonly prefetch?: false | null | undefined
  readonly ref?: Ref<HTMLFormElement> | undefined
}

/** Renders a form whose submission navigates to a page, such as a search. */
export default function Form({
  action,
  replace,
  scroll,
  prefetch,
  ...others
}: FormProps): ReactNode {
  if (typeof action !== 'string') return <form {...others} action={action} />
  const settings = {
    ...(replace === undefined ? {} : { replace }),
    ...(scroll === undefined ? {} : { scroll }),
  }
  return <WaymarkForm {...(others as object)} {...settings} action={action} />
}
