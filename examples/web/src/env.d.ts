interface ImportMetaEnv {
  /** The URL of the service. */
  readonly VITE_API_URL?: string
}
