// Shows the contract of the service that this page came from, and asks that service and no other.
window.SwaggerUIBundle({
  dom_id: '#reference',
  url: '/openapi.json',
  // No badge of a validator somewhere else.
  validatorUrl: null,
  // A token lives in this page alone: not in its address, not in the browser's storage.
  persistAuthorization: false,
  queryConfigEnabled: false,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
});
