/** Renders nothing while no dialog is open. */
export default function Closed(): null {
  return null
}
