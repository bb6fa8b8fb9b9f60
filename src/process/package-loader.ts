const OPTIONS =
  /(?:-r|--require|--import|--loader|--experimental-loader)[ =](?:"[^"]*\.pnp\.[^"]*"|[^\s"]*\.pnp\.\S*)/g

/**
 * Returns the environment by which another process or thread finds its packages where Yarn keeps
 * them in archives instead of `node_modules`; empty elsewhere.
 */
export function packageLoader(): { readonly NODE_OPTIONS?: string } {
  if (process.versions['pnp'] === undefined) return {}
  // The other options are the host's, such as its inspector.
  const given = [...process.execArgv, process.env['NODE_OPTIONS']].join(' ')
  return { NODE_OPTIONS: given.match(OPTIONS)?.join(' ') ?? '' }
}
