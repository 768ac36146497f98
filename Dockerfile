# One image for every program of the server: `headgate serve | worker | sweep`.
# Build: docker build -t headgate .   Run: docker run --env-file headgate.env headgate serve
FROM python:3.12-slim-bookworm

RUN apt-get update \
    && apt-get install -y --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 999 --create-home --home-dir /var/lib/headgate headgate

WORKDIR /opt/headgate
COPY requirements.lock ./
RUN python -m pip install --no-cache-dir --require-hashes -r requirements.lock \
    && python -m pip install --no-cache-dir "setuptools>=80"
COPY pyproject.toml README.md LICENSE ./
COPY bot ./bot
COPY action ./action
COPY gates ./gates
RUN python -m pip install --no-cache-dir --no-deps --no-build-isolation .

USER 999
ENV HEADGATE_VAR=/var/lib/headgate \
    HEADGATE_HOST=0.0.0.0 \
    PYTHONUNBUFFERED=1
VOLUME /var/lib/headgate
EXPOSE 8460
ENTRYPOINT ["headgate"]
CMD ["serve"]
