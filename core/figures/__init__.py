"""Pure chart builders: data frame in, Altair chart or Plotly figure out, with alt text computed from the data."""
