/** Nothing is open. */
export default function Closed(): null {
  return null
}
